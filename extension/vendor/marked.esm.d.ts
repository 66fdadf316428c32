/** What is used of marked. */
export interface Token {
  type: string;
  raw: string;
  text: string;
  depth?: number;
  href?: string;
  tokens?: Token[];
}

export interface Parsing {
  parser: { parse(tokens: Token[]): string; parseInline(tokens: Token[]): string };
}

type Render = (this: Parsing, token: Token) => string;

export class Marked {
  constructor(options: {
    gfm?: boolean;
    breaks?: boolean;
    extensions?: {
      name: string;
      level: "inline" | "block";
      start: (text: string) => number;
      tokenizer: (text: string) => Token | undefined;
      renderer: (token: Token) => string;
    }[];
    renderer?: Record<string, Render>;
    tokenizer?: Record<string, () => undefined>;
  });
  parse(text: string, options: { async: false }): string;
}

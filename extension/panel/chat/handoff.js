import { takesWords } from "../run/question_card.js";
import { element } from "../element.js";
import { asked, canBeLookedUp } from "./document_lookup.js";
import { plainWords, shortestCited } from "./answer_pick.js";

/** @import { Handing, Places } from "./contracts.js" */

/** @param {string} text @param {string} testId @param {() => void} press */
function quiet(text, testId, press) {
  const made = element("button", { type: "button", class: "quiet", "data-testid": testId }, text);
  made.addEventListener("click", press);
  return made;
}

/**
 * What goes from the conversation to the agent and back. Nothing is run or sent by it: what it writes stands
 * in a box, and is the person's own word once they press.
 *
 * @param {Places} places @returns {Handing}
 */
export function createHanding(places) {
  const words = element("p", { class: "asks", dir: "auto" });
  const back = quiet("Back to it", "chat-handing-back", () => places.showDo());
  const card = element("section", { class: "handing", "aria-label": "The agent’s question", "data-testid": "chat-handing", hidden: "" }, words, back);
  const said = element("span", { class: "hint", role: "status" });
  /** The buttons that answer the agent, beneath each answer. @type {WeakRef<HTMLElement>[]} */
  let answers = [];

  const waits = () => canBeLookedUp(places.question());

  function changed() {
    const question = places.question();
    const open = question !== null && canBeLookedUp(question);
    card.hidden = !open;
    words.textContent = open ? `The agent asks: ${asked(question)}` : "";
    answers = answers.filter((one) => one.deref());
    said.remove();
    for (const one of answers) one.deref()?.toggleAttribute("hidden", !open);
  }

  return {
    card,
    changed,
    under(answer) {
      const goal = quiet("Use as a goal", "chat-use-goal", () => {
        const question = places.question();
        if (!question || !takesWords(question)) return places.showDo(plainWords(answer.response));
        said.textContent = "The agent waits for an answer first.";
        goal.after(said);
      });
      const value = shortestCited(answer);
      if (!value) return [goal];
      const reply = quiet("Use as the answer", "chat-use-answer", () => waits() && places.answer(value));
      reply.title = `Writes “${value}” into the agent’s question`;
      reply.hidden = !waits();
      answers.push(new WeakRef(reply));
      return [reply, goal];
    },
  };
}

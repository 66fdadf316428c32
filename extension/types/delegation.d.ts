/** Tasks that another assistant asks for, as the server tells of them. */

export type DelegationStatus = "waiting" | "allowed" | "taken" | "ended" | "refused" | "cancelled" | "expired";

export interface DelegationClient {
  /** What it calls itself: anything may stand there. */
  name: string;
  version?: string;
  keyId: string;
}

export interface Delegation {
  delegationId: string;
  client: DelegationClient;
  goal: string;
  /** Where it is to be done; null for the page that the person is at. */
  url: string | null;
  recipe: { recipeId: string; parameters?: Record<string, string> } | null;
  status: DelegationStatus;
  taskId: string | null;
  note?: string;
  createdAt: string;
  expiresAt: string;
}

/** One that waits for the person. `needs`: it is allowed, but the site with this origin is not yet. */
export interface Asking extends Delegation {
  needs: string | null;
}

/** A client that may start tasks without being asked for. */
export interface AllowedClient {
  consentId: string;
  name: string;
  keyId: string;
  createdAt: string;
}

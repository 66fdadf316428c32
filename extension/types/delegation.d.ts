/** Tasks requested by other assistants, as the server reports them. */

export type DelegationStatus = "waiting" | "allowed" | "taken" | "ended" | "refused" | "cancelled" | "expired";

export interface DelegationClient {
  /** The name it gives itself, which may be anything. */
  name: string;
  version?: string;
  keyId: string;
}

export interface Delegation {
  delegationId: string;
  client: DelegationClient;
  goal: string;
  /** Where the task should run; null for the current page. */
  url: string | null;
  recipe: { recipeId: string; parameters?: Record<string, string> } | null;
  status: DelegationStatus;
  taskId: string | null;
  note?: string;
  createdAt: string;
  expiresAt: string;
}

/** A request waiting for the person. `needs`: it is allowed, but the site with this origin is not yet. */
export interface PendingDelegation extends Delegation {
  needs: string | null;
}

/** Where a delegation runs; `tabId` is null if the tab must be opened, `origin` "" if there is no web page. */
export interface DelegationPlace {
  tabId: number | null;
  permitted: boolean;
  origin: string;
}

/** An assistant that may start tasks without asking. */
export interface AllowedClient {
  consentId: string;
  name: string;
  keyId: string;
  createdAt: string;
}

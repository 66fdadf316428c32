/** What an operator is asked and has decided, as the server reports it. */

export type ReviewReason = "low_confidence" | "conflicting_evidence" | "high_impact" | "asked_for";

export interface Review {
  id: string;
  reasons: ReviewReason[];
  status: "pending" | "approved" | "rejected";
  notes?: string | null;
  operator?: string | null;
}

/** The displayed fields of a stored record. */
export interface ReviewRecord {
  id: string;
  status: "pending" | "reviewed";
  origin: { reasons: ReviewReason[] };
  review?: { decision: "approved" | "rejected"; notes: string; operator: { name: string } };
}

/** An operator's decision in a similar case, on one line. */
export interface Advice {
  line: string;
}

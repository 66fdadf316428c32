/** What an operator is asked and has decided, as the server tells of it. */

export type ReviewReason = "low_confidence" | "conflicting_evidence" | "high_impact" | "asked_for";

export interface Review {
  id: string;
  reasons: ReviewReason[];
  status: "pending" | "approved" | "rejected";
  notes?: string | null;
  operator?: string | null;
}

/** What of a stored record is shown. */
export interface ReviewRecord {
  id: string;
  status: "pending" | "reviewed";
  origin: { reasons: ReviewReason[] };
  review?: { decision: "approved" | "rejected"; notes: string; operator: { name: string } };
}

/** What an operator decided of something similar, in one line. */
export interface Advice {
  line: string;
}

/** A request of the protocol, for whoever follows it through several services. */
export interface TracedRequest {
  readonly method: string;
  readonly sessionId: string;
  readonly params: Readonly<Record<string, unknown>>;
}

export interface TracedOutcome {
  /** Of the JSON-RPC error, where the answer was one. */
  readonly errorCode?: number;
  /** The tool answered that it failed. */
  readonly toolFailed?: boolean;
}

/** Makes a span of a request, under the trace that its `_meta` names. */
export interface RequestTracer {
  trace<T>(
    request: TracedRequest,
    work: () => Promise<T>,
    outcomeOf: (answer: T) => TracedOutcome,
  ): Promise<T>;
}

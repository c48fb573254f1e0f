/** A protocol request, for tracing across services. */
export interface TracedRequest {
  readonly method: string;
  readonly sessionId: string;
  readonly params: Readonly<Record<string, unknown>>;
}

export interface TracedOutcome {
  /** Of the JSON-RPC error, if the response was one. */
  readonly errorCode?: number;
  /** True if the tool reported a failure. */
  readonly toolFailed?: boolean;
}

/** Creates a span for a request, under the trace that its `_meta` names. */
export interface RequestTracer {
  trace<T>(
    request: TracedRequest,
    work: () => Promise<T>,
    outcomeOf: (answer: T) => TracedOutcome,
  ): Promise<T>;
}

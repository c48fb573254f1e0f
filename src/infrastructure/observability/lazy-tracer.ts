import type {
  RequestTracer,
  TracedOutcome,
  TracedRequest,
} from '../../application/ports/system/request-tracer.js';

/** Loads OpenTelemetry with the first request. */
export class LazyTracer implements RequestTracer {
  #tracer: Promise<RequestTracer> | undefined;

  async trace<T>(
    request: TracedRequest,
    work: () => Promise<T>,
    outcomeOf: (answer: T) => TracedOutcome,
  ): Promise<T> {
    this.#tracer ??= import('./otel-tracer.js').then(({ OtelTracer }) => new OtelTracer());
    return (await this.#tracer).trace(request, work, outcomeOf);
  }
}

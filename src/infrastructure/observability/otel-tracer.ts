import {
  type Attributes,
  type Context,
  context,
  createTraceState,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import type {
  RequestTracer,
  TracedOutcome,
  TracedRequest,
} from '../../application/ports/system/request-tracer.js';
import { isJsonObject } from '../../domain/json-value.js';
import { asError } from '../../domain/thrown.js';

type Params = TracedRequest['params'];

const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/;
const MAX_NAME = 100;

/** Spans after the semantic conventions for MCP, for whichever SDK this process has registered. */
export class OtelTracer implements RequestTracer {
  readonly #tracer = trace.getTracer('castellan');

  async trace<T>(
    request: TracedRequest,
    work: () => Promise<T>,
    outcomeOf: (answer: T) => TracedOutcome,
  ): Promise<T> {
    const { method, params } = request;
    const target = targetOf(method, params);
    const options = { kind: SpanKind.SERVER, attributes: attributesOf(request) };
    const parent = parentOf(params, context.active());
    const span = this.#tracer.startSpan(
      target === undefined ? method : `${method} ${target}`,
      options,
      parent,
    );
    try {
      const answer = await context.with(trace.setSpan(parent, span), work);
      note(span, outcomeOf(answer));
      return answer;
    } catch (error) {
      span.recordException(asError(error));
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  }
}

/** What the span's name may hold: addresses and anything of which there are many do not belong there. */
function targetOf(method: string, { name }: Params): string | undefined {
  const named = method === 'tools/call' || method === 'prompts/get';
  return named && typeof name === 'string' ? name.slice(0, MAX_NAME) : undefined;
}

function attributesOf({ method, sessionId, params }: TracedRequest): Attributes {
  const target = targetOf(method, params);
  return {
    'mcp.method.name': method,
    'mcp.session.id': sessionId,
    ...(method === 'tools/call' && { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': target }),
    ...(method === 'prompts/get' && { 'gen_ai.prompt.name': target }),
    ...(typeof params.uri === 'string' && { 'mcp.resource.uri': params.uri.slice(0, MAX_NAME * 10) }),
  };
}

function note(span: Span, { errorCode, toolFailed }: TracedOutcome): void {
  if (errorCode === undefined && toolFailed !== true) return;
  if (errorCode !== undefined) span.setAttribute('rpc.response.status_code', String(errorCode));
  span.setAttribute('error.type', errorCode === undefined ? 'tool_error' : String(errorCode));
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** W3C trace context from `_meta`, where the specification puts it; headers of HTTP were copied there. */
function parentOf(params: Params, active: Context): Context {
  const meta = isJsonObject(params._meta) ? params._meta : {};
  const { traceparent, tracestate } = meta;
  const [, traceId, spanId, flags] =
    typeof traceparent === 'string' ? (TRACEPARENT.exec(traceparent) ?? []) : [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return active;
  return trace.setSpanContext(active, {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16),
    isRemote: true,
    ...(typeof tracestate === 'string' && { traceState: createTraceState(tracestate) }),
  });
}

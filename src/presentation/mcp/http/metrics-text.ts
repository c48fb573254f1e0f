import type { CircuitBreakers } from '../../../application/ports/tool/circuit-breakers.js';
import type { ToolStatistics } from '../../../application/ports/tool/tool-statistics.js';
import { parseToolName } from '../../../domain/tool/tool-name.js';
import type { McpEndpoint } from './mcp-endpoint.js';

interface Metric {
  readonly name: string;
  readonly type: 'counter' | 'gauge';
  readonly help: string;
  readonly values: readonly (readonly [labels: string, value: number])[];
}

/** The counts of this process in Prometheus' text format. */
export function metricsText(
  statistics: ToolStatistics,
  breakers: CircuitBreakers,
  endpoint: McpEndpoint,
  connections: number,
): string {
  return [...toolMetrics(statistics, breakers), ...serverMetrics(endpoint, connections)].map(render).join('');
}

function toolMetrics(statistics: ToolStatistics, breakers: CircuitBreakers): readonly Metric[] {
  const tools = [...statistics.all()];
  const each = (value: (stats: (typeof tools)[number][1]) => number) =>
    tools.map(([tool, stats]) => [`tool="${tool}"`, value(stats)] as const);
  const seconds = (ms: number) => ms / 1000;
  const quantiles = tools.flatMap(([tool, stats]) =>
    (
      [
        ['0.5', stats.p50_ms],
        ['0.95', stats.p95_ms],
        ['0.99', stats.p99_ms],
      ] as const
    ).map(([quantile, ms]) => [`tool="${tool}",quantile="${quantile}"`, seconds(ms)] as const),
  );
  const failures = tools.flatMap(([tool, stats]) =>
    Object.entries(stats.failures_by_kind).map(
      ([kind, count]) => [`tool="${tool}",reason="${kind}"`, count] as const,
    ),
  );
  const open = tools.flatMap(([tool]) => {
    const name = parseToolName(tool);
    return name.success ? [[`tool="${tool}"`, breakers.state(name.value) === 'closed' ? 0 : 1] as const] : [];
  });
  return [
    metric(
      'castellan_calls_total',
      'counter',
      'Calls by tool.',
      each(({ invocations }) => invocations),
    ),
    metric('castellan_call_failures_total', 'counter', 'Failed and refused calls by reason.', failures),
    metric(
      'castellan_call_seconds_total',
      'counter',
      'Time in calls.',
      each(({ total_ms }) => seconds(total_ms)),
    ),
    metric('castellan_call_seconds', 'gauge', 'Duration of calls, by quantile.', quantiles),
    metric('castellan_breaker_open', 'gauge', 'Whether the breaker of a tool is not closed.', open),
  ];
}

function serverMetrics(endpoint: McpEndpoint, connections: number): readonly Metric[] {
  const one = (name: string, help: string, value: number) => metric(name, 'gauge', help, [['', value]]);
  return [
    one('castellan_http_sessions', 'Open sessions.', endpoint.sessions.size),
    one('castellan_http_requests_open', 'Requests under way.', endpoint.requests),
    one('castellan_http_connections', 'Open connections.', connections),
    one('process_resident_memory_bytes', 'Resident memory.', process.memoryUsage.rss()),
    one('process_heap_used_bytes', 'Heap in use.', process.memoryUsage().heapUsed),
    one('process_uptime_seconds', 'Since the start.', process.uptime()),
  ];
}

function metric(name: string, type: Metric['type'], help: string, values: Metric['values']): Metric {
  return { name, type, help, values };
}

function render({ name, type, help, values }: Metric): string {
  const lines = values.map(([labels, value]) => `${name}${labels === '' ? '' : `{${labels}}`} ${value}\n`);
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}

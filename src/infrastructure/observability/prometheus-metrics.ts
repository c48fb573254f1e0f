import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { ObservedCall } from '../../application/ports/system/call-observer.js';
import type { SharedStatus } from '../../application/ports/system/shared-state.js';
import type { CircuitBreakers } from '../../application/ports/tool/circuit-breakers.js';
import { parseToolName } from '../../domain/tool/tool-name.js';

/** What one workspace's server knows at the moment. */
export interface WorkspaceGauges {
  readonly breakers: CircuitBreakers;
  readonly running: number;
  readonly waiting: number;
  readonly sandboxStarts: number;
}

/** What is asked when somebody reads the metrics. */
export interface MetricSources {
  sessions(): number;
  requests(): number;
  connections(): number;
  /** Requests that were refused before they reached the protocol, by their HTTP status. */
  refusals(): ReadonlyMap<number, number>;
  workspaces(): readonly WorkspaceGauges[];
  shared(): SharedStatus;
}

const SECONDS = [0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60];
/** Callers can name any tool; only those that exist are counted by their names. */
const UNKNOWN = 'unknown';

interface CountedTool {
  readonly calls: Counter.Internal;
  readonly seconds: Histogram.Internal<'tool'>;
}

/** The counts of this process for Prometheus. Loaded where an address for operators is served. */
export class PrometheusMetrics {
  readonly #registry = new Registry();
  readonly #tools = new Map<string, CountedTool>();
  readonly #calls: Counter<'tool'>;
  readonly #failures: Counter<'tool' | 'kind' | 'reason'>;
  readonly #seconds: Histogram<'tool'>;

  constructor(private readonly sources: MetricSources) {
    const registers = [this.#registry];
    // The delay of the event loop and the memory of the process are among them.
    collectDefaultMetrics({ register: this.#registry });
    this.#calls = new Counter({
      name: 'castellan_calls_total',
      help: 'Calls by tool.',
      labelNames: ['tool'],
      registers,
    });
    this.#failures = new Counter({
      name: 'castellan_call_failures_total',
      help: 'Failed and refused calls, by kind and by the reason of the policy.',
      labelNames: ['tool', 'kind', 'reason'],
      registers,
    });
    this.#seconds = new Histogram({
      name: 'castellan_call_seconds',
      help: 'Duration of calls.',
      labelNames: ['tool'],
      buckets: SECONDS,
      registers,
    });
    this.#addGauges();
    if (sources.shared().state !== 'alone') this.#addShared();
    this.#addBreakers();
    this.#addRefusals();
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }

  readonly observe = ({ tool = UNKNOWN, durationMs, failure, reason = '' }: ObservedCall): void => {
    const counted = this.#tools.get(tool) ?? this.#added(tool);
    counted.calls.inc();
    counted.seconds.observe(durationMs / 1000);
    if (failure !== undefined) this.#failures.inc({ tool, kind: failure, reason });
  };

  /** Looking labels up for each call would take longer than counting it. */
  #added(tool: string): CountedTool {
    const counted = { calls: this.#calls.labels({ tool }), seconds: this.#seconds.labels({ tool }) };
    this.#tools.set(tool, counted);
    return counted;
  }

  #addGauges(): void {
    const { sources } = this;
    const all = (value: (workspace: WorkspaceGauges) => number) =>
      sources.workspaces().reduce((sum, workspace) => sum + value(workspace), 0);
    this.#gauge('castellan_http_sessions', 'Open sessions.', () => sources.sessions());
    this.#gauge('castellan_http_requests_open', 'Requests under way.', () => sources.requests());
    this.#gauge('castellan_http_connections', 'Open connections.', () => sources.connections());
    this.#gauge('castellan_workspaces', 'Workspaces that are served.', () => sources.workspaces().length);
    this.#gauge('castellan_calls_running', 'Calls that run.', () => all(({ running }) => running));
    this.#gauge('castellan_calls_waiting', 'Calls that wait for their turn.', () =>
      all(({ waiting }) => waiting),
    );
    this.#gauge('castellan_sandbox_starts_total', 'Commands that were started.', () =>
      all(({ sandboxStarts }) => sandboxStarts),
    );
  }

  #addShared(): void {
    const { sources } = this;
    this.#gauge('castellan_redis_joined', '1 while Redis answers.', () =>
      sources.shared().state === 'joined' ? 1 : 0,
    );
    this.#gauge('castellan_instances', 'Instances that serve, as this one sees it.', () => {
      const status = sources.shared();
      return status.state === 'joined' ? status.instances.length : 0;
    });
    this.#gauge('castellan_clock_skew_seconds', 'How far the clock is behind that of Redis.', () => {
      const status = sources.shared();
      return status.state === 'joined' ? status.skewMs / 1000 : 0;
    });
  }

  #gauge(name: string, help: string, value: () => number): void {
    new Gauge({
      name,
      help,
      registers: [this.#registry],
      collect() {
        this.set(value());
      },
    });
  }

  #addBreakers(): void {
    const { sources } = this;
    const tools = this.#tools;
    new Gauge({
      name: 'castellan_breaker_open',
      help: 'Whether the breaker of a tool is not closed.',
      labelNames: ['tool'],
      registers: [this.#registry],
      collect() {
        for (const tool of tools.keys()) {
          const name = parseToolName(tool);
          if (!name.success || tool === UNKNOWN) continue;
          const open = sources.workspaces().some(({ breakers }) => breakers.state(name.value) !== 'closed');
          this.set({ tool }, open ? 1 : 0);
        }
      },
    });
  }

  #addRefusals(): void {
    const { sources } = this;
    new Gauge({
      name: 'castellan_http_refusals_total',
      help: 'Requests that were refused before they reached the protocol, by status.',
      labelNames: ['status'],
      registers: [this.#registry],
      collect() {
        for (const [status, count] of sources.refusals()) this.set({ status: String(status) }, count);
      },
    });
  }
}

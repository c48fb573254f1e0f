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
/** Callers of an issuer have no end; those that come later are counted together. */
const MAX_PRINCIPALS = 200;
const OTHERS = 'others';
/** Gauges of the library whose names end as those of counters do, which Prometheus objects to. */
const MISNAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];

interface CountedTool {
  readonly calls: Map<string, Counter.Internal>;
  readonly seconds: Histogram.Internal<'tool'>;
}

/** The counts of this process for Prometheus. Loaded where an address for operators is served. */
export class PrometheusMetrics {
  readonly #registry = new Registry();
  readonly #tools = new Map<string, CountedTool>();
  readonly #principals = new Set<string>();
  readonly #calls: Counter<'tool' | 'principal'>;
  readonly #failures: Counter<'tool' | 'kind' | 'reason' | 'principal'>;
  readonly #seconds: Histogram<'tool'>;

  constructor(private readonly sources: MetricSources) {
    const registers = [this.#registry];
    // The delay of the event loop and the memory of the process are among them.
    collectDefaultMetrics({ register: this.#registry });
    for (const name of MISNAMED) this.#registry.removeSingleMetric(name);
    this.#calls = new Counter({
      name: 'castellan_calls_total',
      help: 'Calls by tool and by the name that the policy gives the caller.',
      labelNames: ['tool', 'principal'],
      registers,
    });
    this.#failures = new Counter({
      name: 'castellan_call_failures_total',
      help: 'Failed and refused calls, by kind and by the reason of the policy.',
      labelNames: ['tool', 'kind', 'reason', 'principal'],
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

  readonly observe = ({
    tool = UNKNOWN,
    principal,
    durationMs,
    failure,
    reason = '',
  }: ObservedCall): void => {
    const counted = this.#tools.get(tool) ?? this.#added(tool);
    const caller = this.#named(principal ?? UNKNOWN);
    (counted.calls.get(caller) ?? this.#addedCaller(counted, tool, caller)).inc();
    counted.seconds.observe(durationMs / 1000);
    if (failure !== undefined) this.#failures.inc({ tool, kind: failure, reason, principal: caller });
  };

  #named(principal: string): string {
    if (this.#principals.has(principal)) return principal;
    if (this.#principals.size >= MAX_PRINCIPALS) return OTHERS;
    this.#principals.add(principal);
    return principal;
  }

  /** Looking labels up for each call would take longer than counting it. */
  #added(tool: string): CountedTool {
    const counted = { calls: new Map<string, Counter.Internal>(), seconds: this.#seconds.labels({ tool }) };
    this.#tools.set(tool, counted);
    return counted;
  }

  #addedCaller({ calls }: CountedTool, tool: string, principal: string): Counter.Internal {
    const counter = this.#calls.labels({ tool, principal });
    calls.set(principal, counter);
    return counter;
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
    this.#gauge('castellan_calls_waiting', 'Calls that are waiting to run.', () =>
      all(({ waiting }) => waiting),
    );
    this.#highest('castellan_sandbox_starts_total', 'Commands that were started.', () =>
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
    this.#gauge('castellan_clock_skew_seconds', 'Seconds by which the clock is behind that of Redis.', () => {
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

  /** A counter of what is counted elsewhere. It never falls: a workspace that is released takes its count along. */
  #highest(name: string, help: string, value: () => number): void {
    let told = 0;
    let before = 0;
    new Counter({
      name,
      help,
      registers: [this.#registry],
      collect() {
        const now = value();
        // Less than before: some of it is gone, and what is new since then cannot be told apart.
        if (now > before) told += now - before;
        before = now;
        this.reset();
        this.inc(told);
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
    new Counter({
      name: 'castellan_http_refusals_total',
      help: 'Requests refused before they reached the protocol, by status.',
      labelNames: ['status'],
      registers: [this.#registry],
      collect() {
        this.reset();
        for (const [status, count] of sources.refusals()) this.inc({ status: String(status) }, count);
      },
    });
  }
}

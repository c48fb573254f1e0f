import type { FileTools } from './file-tools.js';
import type { ServerCommand } from './stdio-client.js';

/** A server that is measured. `echo` is its cheapest call that takes a message; without one only its start is measured. */
export interface Subject {
  readonly name: string;
  readonly server: ServerCommand;
  readonly echo?: EchoCall;
  /** How it serves HTTP; it prints its address. */
  readonly http?: ServerCommand;
  /** Present where it has file tools. */
  readonly files?: FileTools;
  /** For servers that are told on the command line which folder they serve. */
  readonly rooted?: (root: string) => ServerCommand;
}

export interface EchoCall {
  readonly tool: string;
  readonly expectedText: (message: string) => string;
}

export interface Metric {
  readonly id: string;
  readonly title: string;
  readonly unit: string;
}

/** One sample for each metric id, from one round. */
export type Sample = Readonly<Record<string, number>>;

export interface SubjectResult {
  readonly subject: string;
  readonly samples: readonly Sample[];
  /** Why it stopped being measured; the samples before it still count. */
  readonly failure?: string;
}

/**
 * With `against` the goal is a ratio of medians in this run, with `moreThan` their difference, without either a figure
 * in the metric's own unit.
 */
export interface Goal {
  readonly title: string;
  readonly metric: string;
  readonly subject: string;
  readonly against?: string;
  readonly moreThan?: string;
  readonly atMost?: number;
  readonly atLeast?: number;
}

export interface SuiteResult {
  readonly title: string;
  /** What was run and under which policy and limits. */
  readonly conditions: string;
  readonly baseline: string;
  readonly metrics: readonly Metric[];
  readonly subjects: readonly SubjectResult[];
  readonly goals: readonly Goal[];
}

export interface BenchContext {
  /** Castellan first, then the floor, the bare SDK and the npm peers that were asked for. */
  readonly subjects: readonly Subject[];
  /** Whether packages of others are installed from npm and measured too. */
  readonly isWithPeers: boolean;
  /** What followed the suite's name on the command line. */
  readonly args: readonly string[];
  /** An empty folder, removed after the run. */
  readonly scratch: string;
}

export interface Suite {
  readonly name: string;
  /** Left out unless it is named. */
  readonly onRequest?: boolean;
  run(context: BenchContext): Promise<SuiteResult>;
}

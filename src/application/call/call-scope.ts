import type { LandedFile } from '../../domain/file/landed-file.js';
import type { Caller } from '../../domain/session/caller.js';
import type { Session } from '../../domain/session/session.js';
import type { WorkflowContext } from '../../domain/session/workflow-context.js';
import type { CallGrant } from './call-grant.js';
import type { Cancellation } from './cancellation.js';
import type {
  CallChannel,
  ClientLogLevel,
  ElicitAnswer,
  ElicitRequest,
  Question,
  RootsAnswer,
  SampleAnswer,
  SampleRequest,
  ToolContext,
} from './tool-context.js';

const MAX_RECORDED = 20;

/** The context of one call: its session, its channel to the client and its cancellation. */
export class CallScope implements ToolContext {
  #grant: CallGrant | undefined;
  /** Files that the call has written so far; the first ones, if there are too many to record. */
  readonly written: LandedFile[] = [];

  constructor(
    readonly session: Session,
    readonly correlationId: string,
    readonly meta: Readonly<Record<string, unknown>>,
    readonly cancellation: Cancellation,
    private readonly channel: CallChannel,
    readonly workflow?: WorkflowContext | undefined,
    readonly asText = false,
  ) {}

  get grant(): CallGrant {
    if (this.#grant === undefined) throw new Error('A call is granted before its handler runs.');
    return this.#grant;
  }

  /** The same call with a grant. */
  under(grant: CallGrant): this {
    this.#grant = grant;
    return this;
  }

  get caller(): Caller {
    return this.session.caller;
  }

  get signal(): AbortSignal {
    return this.cancellation.signal;
  }

  get aborted(): boolean {
    return this.cancellation.reason !== undefined;
  }

  landed(file: LandedFile): void {
    if (this.written.length < MAX_RECORDED) this.written.push(file);
  }

  log(level: ClientLogLevel, data: unknown): void {
    this.channel.log(level, data);
  }

  progress(progress: number, total?: number, message?: string): void {
    this.channel.progress(progress, total, message);
  }

  closeStream(): void {
    this.channel.closeStream();
  }

  elicit(request: ElicitRequest, signal: AbortSignal = this.signal): Promise<ElicitAnswer> {
    return this.channel.elicit(request, signal);
  }

  sample(request: SampleRequest, signal: AbortSignal = this.signal): Promise<SampleAnswer> {
    return this.channel.sample(request, signal);
  }

  roots(request?: Question, signal: AbortSignal = this.signal): Promise<RootsAnswer> {
    return this.channel.roots(request, signal);
  }
}

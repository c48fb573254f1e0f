import type { LandedFile } from '../../domain/file/landed-file.js';
import type { Caller } from '../../domain/session/caller.js';
import type { Session } from '../../domain/session/session.js';
import type { WorkflowContext } from '../../domain/session/workflow-context.js';
import type { CallGrant } from './call-grant.js';

export type ClientLogLevel =
  | 'debug'
  | 'info'
  | 'notice'
  | 'warning'
  | 'error'
  | 'critical'
  | 'alert'
  | 'emergency';

interface FieldText {
  readonly title?: string;
  readonly description?: string;
}

interface ManyChoices {
  readonly type: 'array';
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly default?: string[];
}

interface TitledChoice {
  readonly const: string;
  readonly title: string;
}

/** One field of a form: the flat subset of JSON Schema that the protocol allows. */
export type FormField = FieldText &
  (
    | {
        readonly type: 'string';
        readonly minLength?: number;
        readonly maxLength?: number;
        readonly default?: string;
      }
    | {
        readonly type: 'string';
        readonly enum: string[];
        readonly enumNames?: string[];
        readonly default?: string;
      }
    | { readonly type: 'string'; readonly oneOf: TitledChoice[]; readonly default?: string }
    | (ManyChoices & { readonly items: { readonly type: 'string'; readonly enum: string[] } })
    | (ManyChoices & { readonly items: { readonly anyOf: TitledChoice[] } })
    | {
        readonly type: 'number' | 'integer';
        readonly minimum?: number;
        readonly maximum?: number;
        readonly default?: number;
      }
    | { readonly type: 'boolean'; readonly default?: boolean }
  );

/**
 * Since 2026-07-28 a client answers by repeating the call: the handler then runs again from its beginning,
 * and every answered question has its answer immediately. Ask before anything is changed.
 */
export interface Question {
  /**
   * A name under which the client may answer in advance. Without one, only the answer to a question that was
   * really asked counts.
   */
  readonly key?: string;
  /** True if a client that cannot be asked gets the protocol's error instead of the call's result. */
  readonly mandatory?: boolean;
}

/** A question to the client's user. */
export interface ElicitRequest extends Question {
  readonly message: string;
  readonly fields: Readonly<Record<string, FormField>>;
  readonly required?: readonly string[];
}

export type ElicitAnswer =
  | { readonly action: 'accept'; readonly content: Readonly<Record<string, unknown>> }
  | { readonly action: 'decline' }
  | { readonly action: 'cancel' }
  /** The client cannot be asked, or did not answer. */
  | { readonly action: 'unavailable'; readonly why: string };

/** A question to the client's own model, in the protocol's terms. */
export interface SampleRequest extends Question {
  readonly messages: readonly {
    readonly role: 'user' | 'assistant';
    readonly content: { readonly type: 'text'; readonly text: string };
  }[];
  readonly systemPrompt?: string;
  readonly maxTokens: number;
  readonly model?: string;
}

export type SampleAnswer =
  | { readonly action: 'answer'; readonly text: string; readonly model: string }
  | { readonly action: 'unavailable'; readonly why: string };

export interface ClientRoot {
  readonly uri: string;
  readonly name?: string;
}

export type RootsAnswer =
  | { readonly action: 'answer'; readonly roots: readonly ClientRoot[] }
  | { readonly action: 'unavailable'; readonly why: string };

/**
 * What a running call can send to the client besides its result. Messages the client does not support are
 * dropped; questions resolve to `unavailable`.
 */
export interface CallChannel {
  log(level: ClientLogLevel, data: unknown): void;
  /** Sent only if the client asked for progress. */
  progress(progress: number, total?: number, message?: string): void;
  elicit(request: ElicitRequest, signal?: AbortSignal): Promise<ElicitAnswer>;
  sample(request: SampleRequest, signal?: AbortSignal): Promise<SampleAnswer>;
  /** The directories that the client works in. */
  roots(request?: Question, signal?: AbortSignal): Promise<RootsAnswer>;
  /**
   * Closes the client's connection while the call continues, if the client can resume it; otherwise does
   * nothing.
   */
  closeStream(): void;
}

/** What a handler knows about the call it serves. */
export interface ToolContext extends CallChannel {
  /** Called for every file that the call wrote, with the digest of its content, for the audit log. */
  landed?(file: LandedFile): void;
  /** Aborted when the caller cancels, the time is over or the server stops. */
  readonly signal: AbortSignal;
  /** The same as `signal.aborted`, without creating a signal. */
  readonly aborted: boolean;
  readonly session: Session;
  readonly caller: Caller;
  readonly correlationId: string;
  /** What the policy allows this call. */
  readonly grant: CallGrant;
  /** `_meta` of the request, unchanged: trace context and the like. */
  readonly meta: Readonly<Record<string, unknown>>;
  /** True if the result is read as text: fields that only structured results separate may be joined. */
  readonly asText?: boolean;
  /** The prompt's arguments and earlier results, if the call belongs to a workflow. */
  readonly workflow?: WorkflowContext | undefined;
}

const NOT_CONNECTED = 'The call came from inside the process: no client is connected.';

/** For calls without a client: in process and from the command line. */
export const SILENT_CHANNEL: CallChannel = {
  log() {},
  progress() {},
  elicit: async () => ({ action: 'unavailable', why: NOT_CONNECTED }),
  sample: async () => ({ action: 'unavailable', why: NOT_CONNECTED }),
  roots: async () => ({ action: 'unavailable', why: NOT_CONNECTED }),
  closeStream() {},
};

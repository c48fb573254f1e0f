import { DEFAULT_READ_BYTES } from '../../application/file/read-budget.js';
import type { LogLevel } from '../../application/ports/system/logger.js';
import type { CategoryKind, DocumentSwitch } from '../../domain/knowledge/document/category.js';
import { CONSENT_WAYS, type ConsentWay } from '../../domain/permission/consent/consent-way.js';
import type { Toolset } from '../../domain/tool/toolset.js';

export interface CategorySettings {
  readonly dir: string;
  readonly patterns: readonly string[];
  readonly description?: string;
  readonly kind: CategoryKind;
  readonly enabledBy?: readonly DocumentSwitch[];
}

/** Access tokens that are taken: whose, for whom, and where the keys are that they are checked with. */
export interface OAuthSettings {
  readonly issuer: string;
  /** The canonical address of the endpoint where absent. */
  readonly audience?: string;
  /** Asked of the issuer where absent. */
  readonly jwksUri?: string;
  readonly algorithms: readonly string[];
  readonly scopes: readonly string[];
}

export interface HttpSettings {
  readonly host: string;
  readonly port: number;
  /** Where health and metrics are served; undefined: nowhere. */
  readonly admin?: { readonly host: string; readonly port: number };
  readonly hosts: readonly string[];
  readonly origins: readonly string[];
  readonly publicUrl?: string;
  readonly behindProxy: boolean;
  /** A session that nobody has used for so long ends. */
  readonly sessionIdleMs: number;
  readonly tls?: { readonly cert: string; readonly key: string };
  readonly oauth?: OAuthSettings;
}

export interface AuditSettings {
  /** Records older than this are removed; absent: by number and size alone. */
  readonly keepMs?: number;
  /** The oldest are removed beyond this, however young they are; absent: what is usual. */
  readonly maxBytes?: number;
  /** The address that records are passed on to: a syslog server or an OTLP receiver. */
  readonly stream?: string;
}

/** How people are asked about calls. */
export interface ConsentSettings {
  /** The first that is there is used. */
  readonly via: readonly ConsentWay[];
  /** A program and its arguments, run for each question that waits outside of the client. */
  readonly notify?: readonly string[];
}

export type LogFormat = 'text' | 'json';

/** castellan.yaml as the server uses it, every key with its value. */
export interface Settings {
  readonly toolPrefix: string;
  readonly toolDescriptions: 'full' | 'concise';
  readonly answers: 'text' | 'envelope';
  /** Estimated, of one text answer. */
  readonly answerTokens: number;
  readonly errorStyle: 'result' | 'rpc';
  readonly project: { readonly name?: string };
  readonly categories: Readonly<Record<string, CategorySettings>>;
  readonly collections: Readonly<Record<string, readonly string[]>>;
  readonly prompts: { readonly dir?: string };
  readonly log: {
    readonly level: LogLevel | 'silent';
    /** Absent: text on a terminal, else JSON lines. */
    readonly format?: LogFormat;
    /** Whether each call is a line in the log. */
    readonly requests: boolean;
  };
  /** Whether requests are spans for OpenTelemetry. */
  readonly telemetry: { readonly traces: boolean };
  readonly audit: AuditSettings;
  readonly consent: ConsentSettings;
  readonly http: HttpSettings;
  readonly files: { readonly readBytes: number };
  readonly claude: { readonly model?: string; readonly maxTokens: number };
  /** `service`: what the instances that share it have in common; the workspace where absent. */
  readonly redis: { readonly url?: string; readonly service?: string };
  /** JSON Schemas of flags, by name. */
  readonly flags: { readonly schemas: Readonly<Record<string, object>> };
  readonly tools: {
    readonly include?: readonly string[];
    readonly exclude: readonly string[];
    /** The sets that are shown; absent: those that this workspace has a use for. */
    readonly sets?: readonly Toolset[];
    /** The flag that switches a tool, by the tool's name. */
    readonly enabledBy: Readonly<Record<string, string>>;
  };
}

export const DEFAULT_SETTINGS: Settings = {
  toolPrefix: '',
  toolDescriptions: 'concise',
  answers: 'text',
  answerTokens: 8_000,
  errorStyle: 'result',
  project: {},
  categories: {},
  collections: {},
  prompts: {},
  log: { level: 'info', requests: false },
  telemetry: { traces: false },
  audit: {},
  consent: { via: CONSENT_WAYS },
  http: {
    host: '127.0.0.1',
    port: 7337,
    admin: { host: '127.0.0.1', port: 7338 },
    hosts: [],
    origins: [],
    behindProxy: false,
    sessionIdleMs: 30 * 60 * 1000,
  },
  files: { readBytes: DEFAULT_READ_BYTES },
  claude: { maxTokens: 4096 },
  redis: {},
  flags: { schemas: {} },
  tools: { exclude: [], enabledBy: {} },
};

import type {
  CallChannel,
  ClientLogLevel,
  ElicitAnswer,
  ElicitRequest,
  Question,
  RootsAnswer,
  SampleAnswer,
  SampleRequest,
} from '../../../application/call/tool-context.js';
import { isJsonObject, toJsonValue } from '../../../domain/json-value.js';
import type { RpcRequest, Write } from '../surface/json-rpc.js';
import type { LogLevelFilter } from './log-level.js';
import type { SdkServer } from './sdk-server.js';

const MAX_LOGGED = 256 * 1024;

/** What a call needs of its connection. */
export interface ClientLine {
  readonly clientCapabilities: Readonly<Record<string, unknown>>;
  readonly logLevel: LogLevelFilter;
  sdk(): Promise<SdkServer>;
}

/** What a call may tell or ask its client. */
export class Session2025CallChannel implements CallChannel {
  constructor(
    private readonly line: ClientLine,
    private readonly request: RpcRequest,
    private readonly write: Write,
    private readonly cut: (() => void) | undefined,
  ) {}

  closeStream(): void {
    this.cut?.();
  }

  log(level: ClientLogLevel, data: unknown): void {
    if (!this.line.logLevel.passes(level)) return;
    const json = toJsonValue(data, MAX_LOGGED);
    this.#notify('notifications/message', {
      level,
      logger: 'castellan',
      data: json.success ? json.value : `[not shown: ${json.error}]`,
    });
  }

  progress(progress: number, total?: number, message?: string): void {
    const meta = this.request.params?._meta;
    const progressToken = isJsonObject(meta) ? meta.progressToken : undefined;
    if (progressToken === undefined || !Number.isFinite(progress)) return;
    this.#notify('notifications/progress', {
      progressToken,
      progress,
      ...(Number.isFinite(total) && { total }),
      ...(typeof message === 'string' && { message }),
    });
  }

  async elicit(request: ElicitRequest, signal?: AbortSignal): Promise<ElicitAnswer> {
    if (!isJsonObject(this.line.clientCapabilities.elicitation)) {
      return { action: 'unavailable', why: 'The client cannot ask its user (no elicitation capability).' };
    }
    const sdk = await this.line.sdk();
    return sdk.elicit(request, { requestId: this.request.id, signal });
  }

  async sample(request: SampleRequest, signal?: AbortSignal): Promise<SampleAnswer> {
    if (!isJsonObject(this.line.clientCapabilities.sampling)) {
      return { action: 'unavailable', why: 'The client does not lend its model (no sampling capability).' };
    }
    const sdk = await this.line.sdk();
    return sdk.sample(request, { requestId: this.request.id, signal });
  }

  async roots(_request?: Question, signal?: AbortSignal): Promise<RootsAnswer> {
    if (!isJsonObject(this.line.clientCapabilities.roots)) {
      return { action: 'unavailable', why: 'The client does not say where it works (no roots capability).' };
    }
    const sdk = await this.line.sdk();
    return sdk.roots({ requestId: this.request.id, signal });
  }

  #notify(method: string, params: Readonly<Record<string, unknown>>): void {
    void this.write({ jsonrpc: '2.0', method, params });
  }
}

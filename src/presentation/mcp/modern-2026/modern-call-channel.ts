import {
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequest,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { Compile } from 'typebox/compile';
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
import type { Capability, InputQuestions } from './input-questions.js';

const MAX_LOGGED = 256 * 1024;

type Schema = Readonly<Record<string, unknown>>;

/** What a call may tell or ask a client of 2026-07-28: questions leave as an answer, and the client calls again. */
export class ModernCallChannel implements CallChannel {
  constructor(
    private readonly context: ServerContext,
    private readonly questions: InputQuestions,
  ) {}

  /** There is nothing to resume from. */
  closeStream(): void {}

  log(level: ClientLogLevel, data: unknown): void {
    const json = toJsonValue(data, MAX_LOGGED);
    const shown = json.success ? json.value : `[not shown: ${json.error}]`;
    // A client that has gone does not need to hear it.
    this.context.mcpReq.log(level, shown, 'castellan').catch(() => undefined);
  }

  progress(progress: number, total?: number, message?: string): void {
    const progressToken = this.context.mcpReq._meta?.progressToken;
    if (progressToken === undefined || !Number.isFinite(progress)) return;
    const params = {
      progressToken,
      progress,
      ...(Number.isFinite(total) && { total }),
      ...(typeof message === 'string' && { message }),
    };
    this.context.mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  }

  async elicit(request: ElicitRequest): Promise<ElicitAnswer> {
    if (!this.can('elicitation')) {
      if (request.mandatory === true) return this.questions.lacks('elicitation');
      return { action: 'unavailable', why: 'The client cannot ask its user (no elicitation capability).' };
    }
    const { message, fields, required = [] } = request;
    const requestedSchema = {
      type: 'object' as const,
      properties: { ...fields },
      required: [...required],
    };
    const question: InputRequest = {
      method: 'elicitation/create',
      params: { mode: 'form', message, requestedSchema },
    };
    return this.questions.ask(request, question, (response) => readElicited(response, requestedSchema));
  }

  async sample(request: SampleRequest): Promise<SampleAnswer> {
    if (!this.can('sampling')) {
      if (request.mandatory === true) return this.questions.lacks('sampling');
      return { action: 'unavailable', why: 'The client does not lend its model (no sampling capability).' };
    }
    const { messages, maxTokens, systemPrompt, model } = request;
    const params = {
      messages: messages.map(({ role, content }) => ({ role, content: { ...content } })),
      maxTokens,
      ...(systemPrompt !== undefined && { systemPrompt }),
      ...(model !== undefined && { modelPreferences: { hints: [{ name: model }] } }),
    };
    return this.questions.ask(request, { method: 'sampling/createMessage', params }, readSampled);
  }

  async roots(request: Question = {}): Promise<RootsAnswer> {
    if (!this.can('roots')) {
      if (request.mandatory === true) return this.questions.lacks('roots');
      return { action: 'unavailable', why: 'The client does not say where it works (no roots capability).' };
    }
    return this.questions.ask(request, { method: 'roots/list', params: {} }, readRoots);
  }

  can(capability: Capability): boolean {
    const envelope: Schema = this.context.mcpReq.envelope ?? {};
    const capabilities = envelope[CLIENT_CAPABILITIES_META_KEY];
    return isJsonObject(capabilities) && isJsonObject(capabilities[capability]);
  }
}

function readElicited(response: unknown, schema: Schema): ElicitAnswer | undefined {
  if (!isJsonObject(response)) return undefined;
  const { action, content = {} } = response;
  if (action === 'decline' || action === 'cancel') return { action };
  if (action !== 'accept' || !isJsonObject(content)) return undefined;
  return Compile<Record<string, unknown>>({ ...schema }).Check(content) ? { action, content } : undefined;
}

function readSampled(response: unknown): SampleAnswer | undefined {
  if (!isJsonObject(response) || !isJsonObject(response.content)) return undefined;
  const { type, text } = response.content;
  const { model } = response;
  if (typeof model !== 'string') return undefined;
  return { action: 'answer', text: type === 'text' && typeof text === 'string' ? text : '', model };
}

function readRoots(response: unknown): RootsAnswer | undefined {
  if (!isJsonObject(response) || !Array.isArray(response.roots)) return undefined;
  const roots = response.roots.flatMap((root: unknown) =>
    isJsonObject(root) && typeof root.uri === 'string'
      ? [{ uri: root.uri, ...(typeof root.name === 'string' && { name: root.name }) }]
      : [],
  );
  return { action: 'answer', roots };
}

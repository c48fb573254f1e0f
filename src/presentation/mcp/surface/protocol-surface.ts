import { inject, injectable } from 'inversify';
import type { Cancellation } from '../../../application/call/cancellation.js';
import type { CallChannel } from '../../../application/call/tool-context.js';
import {
  type ResourceNotice,
  ResourceNotices,
} from '../../../application/ports/resource/resource-notices.js';
import { Logger } from '../../../application/ports/system/logger.js';
import type { RequestTracer } from '../../../application/ports/system/request-tracer.js';
import { ResourceCatalogue } from '../../../application/resource/resource-catalogue.js';
import { ExecuteInWorkflow } from '../../../application/session/execute-in-workflow.js';
import { ListToolsHandler } from '../../../application/tool/list-tools.js';
import { isJsonObject } from '../../../domain/json-value.js';
import { Result } from '../../../domain/result.js';
import { type ToolError, toolFailure } from '../../../domain/tool/tool-error.js';
import type { ToolResult } from '../../../domain/tool/tool-result.js';
import { type AnsweredCall, AnswerWriter } from './answer-writer.js';
import { complete } from './completions.js';
import { INTERNAL_ERROR } from './json-rpc.js';
import { PromptSurface } from './prompt-surface.js';
import { invalidParams, tracedOutcome, type WireAnswer } from './result-mapping.js';

type Params = Readonly<Record<string, unknown>>;

const NO_PARAMS: Params = Object.freeze({});
/** The specification's own code. */
const RESOURCE_NOT_FOUND = -32002;

/** What the server offers, in terms of the protocol but of no SDK: each era's adapter hands its requests here. */
@injectable()
export class ProtocolSurface {
  /** Set where requests are traced. */
  tracer: RequestTracer | undefined;

  constructor(
    @inject(ExecuteInWorkflow) private readonly execute: ExecuteInWorkflow,
    @inject(ListToolsHandler) private readonly list: ListToolsHandler,
    @inject(ResourceCatalogue) private readonly resources: ResourceCatalogue,
    @inject(PromptSurface) readonly prompts: PromptSurface,
    @inject(ResourceNotices) private readonly notices: ResourceNotices,
    @inject(Logger) private readonly logger: Logger,
    @inject(AnswerWriter) private readonly answers: AnswerWriter,
  ) {}

  /** Word of resources that changed; returns how to stop listening. */
  onResourceNotice(listener: (notice: ResourceNotice) => void): () => void {
    return this.notices.listen(listener);
  }

  /** Begins to follow files on behalf of a client, who hears of changes without having asked for lists before. */
  async follow(sessionId: string): Promise<() => void> {
    try {
      await this.resources.follow();
      return await this.prompts.follow(sessionId);
    } catch (error) {
      this.logger.error('Prompts and resources cannot be followed', { error });
      return () => undefined;
    }
  }

  /** Answers every method but tools/call; undefined where there is no such method. */
  answer(method: string, sessionId: string, params: Params = NO_PARAMS): Promise<WireAnswer | undefined> {
    const work = () => this.answered(method, sessionId, params);
    return this.tracer?.trace({ method, sessionId, params }, work, tracedOutcome) ?? work();
  }

  private async answered(method: string, sessionId: string, params: Params): Promise<WireAnswer | undefined> {
    try {
      return await this.route(method, sessionId, params);
    } catch (error) {
      this.logger.error(`${method} broke`, { error });
      return {
        error: { code: INTERNAL_ERROR, message: `Internal error in ${method}; the log has the cause.` },
      };
    }
  }

  private route(
    method: string,
    sessionId: string,
    params: Params,
  ): WireAnswer | Promise<WireAnswer> | undefined {
    switch (method) {
      case 'tools/list':
        return this.listTools(sessionId, params);
      case 'resources/list':
        return this.listResources(sessionId, params);
      case 'resources/templates/list':
        return this.listTemplates(sessionId, params);
      case 'resources/read':
        return this.readResource(sessionId, params);
      case 'resources/subscribe':
      case 'resources/unsubscribe':
        return this.checkSubscription(method, sessionId, params);
      case 'prompts/list':
        return this.prompts.list(params);
      case 'prompts/get':
        return this.prompts.get(sessionId, params);
      case 'completion/complete':
        return complete(this.resources, this.prompts, sessionId, params);
      default:
        return undefined;
    }
  }

  /** Replies as soon as there is an answer; resolves when the call is in the books as well. */
  async callTool(
    sessionId: string,
    params: Params = NO_PARAMS,
    channel: CallChannel,
    cancellation: Cancellation,
    reply: (answer: WireAnswer) => Promise<void>,
  ): Promise<void> {
    if (this.tracer === undefined) return this.called(sessionId, params, channel, cancellation, reply);
    let replied: WireAnswer | undefined;
    const work = async () => {
      await this.called(sessionId, params, channel, cancellation, (answer) => {
        replied = answer;
        return reply(answer);
      });
      return replied;
    };
    await this.tracer.trace({ method: 'tools/call', sessionId, params }, work, tracedOutcome);
  }

  private async called(
    sessionId: string,
    params: Params,
    channel: CallChannel,
    cancellation: Cancellation,
    reply: (answer: WireAnswer) => Promise<void>,
  ): Promise<void> {
    const { name, arguments: args, _meta } = params;
    if (typeof name !== 'string' || name === '') {
      const why = 'tools/call: params.name is required, the name of a tool as tools/list shows it.';
      return reply(invalidParams(why));
    }
    const meta = isJsonObject(_meta) ? _meta : undefined;
    let replied = false;
    try {
      await this.execute.handle({
        sessionId,
        toolName: name,
        arguments: args,
        channel,
        cancellation,
        ...(meta && { meta }),
        asText: this.answers.styleOf(meta) === 'text',
        onOutcome: async (outcome) => {
          await this.reply({ name, arguments: args, meta, sessionId }, outcome, reply);
          replied = true;
        },
      });
    } catch (error) {
      // Nobody waits for this promise: a rejection would end the server.
      this.logger.error(`A call of ${name.slice(0, 100)} could not be completed`, { error });
      const message = 'Internal error: the call could not be completed; the log of the server says why.';
      if (!replied) await reply({ error: { code: INTERNAL_ERROR, message } });
    }
  }

  /** The answer to a call that cannot be run here and now. */
  refusal(params: Params = NO_PARAMS, message: string): WireAnswer {
    const { name, arguments: args, _meta } = params;
    const call = { name: String(name), arguments: args, meta: isJsonObject(_meta) ? _meta : undefined };
    return this.answers.write(call, toolFailure({ kind: 'unavailable', message }));
  }

  private async reply(
    call: AnsweredCall,
    outcome: Result<ToolResult, ToolError>,
    reply: (answer: WireAnswer) => Promise<void>,
  ): Promise<void> {
    try {
      await reply(this.answers.write(call, outcome));
    } catch (error) {
      // A tool of an embedder may answer with what JSON has no words for.
      this.logger.error('An answer could not be written', { error });
      const message =
        'Internal error: the answer could not be written as JSON; the log of the server says why.';
      await reply({ error: { code: INTERNAL_ERROR, message } });
    }
  }

  private listTools(sessionId: string, params: Params): WireAnswer {
    const cursor = readCursor(params);
    if (!cursor.success) return invalidParams(`tools/list: ${cursor.error}`);
    const category = wantedCategory(params);
    const page = this.list.handle({
      sessionId,
      ...(category !== undefined && { category }),
      ...(cursor.value !== undefined && { cursor: cursor.value }),
    });
    return page.success ? { result: { ...page.value } } : invalidParams(`tools/list: ${page.error}`);
  }

  private async listResources(sessionId: string, params: Params): Promise<WireAnswer> {
    const cursor = readCursor(params);
    if (!cursor.success) return invalidParams(`resources/list: ${cursor.error}`);
    const page = await this.resources.list(sessionId, cursor.value);
    if (!page.success) return invalidParams(`resources/list: ${page.error}`);
    const { items: resources, nextCursor } = page.value;
    return { result: { resources, ...(nextCursor !== undefined && { nextCursor }) } };
  }

  private listTemplates(sessionId: string, params: Params): WireAnswer {
    const cursor = readCursor(params);
    const page = cursor.success ? this.resources.templates(sessionId, cursor.value) : cursor;
    if (!page.success) return invalidParams(`resources/templates/list: ${page.error}`);
    const { items: resourceTemplates, nextCursor } = page.value;
    return { result: { resourceTemplates, ...(nextCursor !== undefined && { nextCursor }) } };
  }

  private async readResource(sessionId: string, { uri }: Params): Promise<WireAnswer> {
    if (typeof uri !== 'string')
      return invalidParams('resources/read: uri is required, as resources/list shows it.');
    const contents = await this.resources.read(sessionId, uri);
    return contents.success ? { result: { contents: [contents.value] } } : notFound(uri, contents.error);
  }

  /** Who is told is the connection's business; only of a resource that is there can there be news. */
  private async checkSubscription(method: string, sessionId: string, { uri }: Params): Promise<WireAnswer> {
    if (typeof uri !== 'string')
      return invalidParams(`${method}: uri is required, as resources/list shows it.`);
    if (method === 'resources/unsubscribe') return { result: {} };
    const found = await this.resources.has(sessionId, uri);
    return found.success ? { result: {} } : notFound(uri, found.error);
  }
}

/** In the parameters, or in `_meta` if the client's library sends no parameters of its own. */
function wantedCategory({ category, _meta }: Params): string | undefined {
  const meta = isJsonObject(_meta) ? _meta : {};
  const named = category ?? meta['castellan/category'] ?? meta.category;
  return typeof named === 'string' ? named : undefined;
}

function readCursor({ cursor }: Params): Result<string | undefined> {
  if (cursor === undefined || typeof cursor === 'string') return Result.ok(cursor);
  return Result.failure('cursor must be a string, the nextCursor of the page before.', 'InvalidCursor');
}

function notFound(uri: string, message: string): WireAnswer {
  return { error: { code: RESOURCE_NOT_FOUND, message, data: { uri } } };
}

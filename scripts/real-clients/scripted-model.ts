import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { DIALECTS, type Dialect, objectOf } from './model-dialects.js';

/** A call that the model asks for. */
export interface PlannedCall {
  /** A tool of ours by its own name, or of the client if `own` is set: the first that its list has. */
  readonly tool: string | readonly string[];
  readonly own?: true;
  readonly args: object;
  /** For a tool that takes text and no JSON. */
  readonly input?: string;
}

/** What clients told the model. */
export interface Heard {
  /** The names of all tools in the requests that had tools, as the client gave them. */
  readonly tools: ReadonlySet<string>;
  /** The same request by request. */
  readonly lists: readonly (readonly string[])[];
  /** What the model was told about its calls, the first one first. */
  readonly answers: readonly string[];
  /** Calls that could not be made: the client listed no such tool. */
  readonly missing: readonly string[];
}

/**
 * Stands in for the model of a client, on loopback: asks for one call after the other, and ends the turn when it has
 * been given the answer of the last. Keeps what it heard.
 */
export class ScriptedModel {
  readonly #tools = new Set<string>();
  readonly #missing = new Set<string>();
  readonly #lists: (readonly string[])[] = [];
  #answers: readonly string[] = [];
  readonly #server: Server = createServer((request, response) => void this.#answer(request, response));

  constructor(private readonly plan: readonly PlannedCall[]) {}

  async listen(): Promise<string> {
    await new Promise<void>((ready) => this.#server.listen(0, '127.0.0.1', ready));
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('The model has no port.');
    return `http://127.0.0.1:${address.port}`;
  }

  get heard(): Heard {
    return { tools: this.#tools, lists: this.#lists, answers: this.#answers, missing: [...this.#missing] };
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const dialect = DIALECTS.find(({ path }) => path.test(request.url ?? ''));
    if (dialect === undefined || request.method !== 'POST') {
      response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
      return;
    }
    const given: unknown = JSON.parse(body);
    const names = toolNames(given);
    for (const name of names) this.#tools.add(name);
    if (names.length > 0) this.#lists.push(names);
    const answers = dialect.answers(given);
    if (answers.length > this.#answers.length) this.#answers = answers;
    const events = this.#next(dialect, names, answers.length);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of events) {
      const name = dialect.named && 'type' in event ? `event: ${event.type}\n` : '';
      response.write(`${name}data: ${JSON.stringify(event)}\n\n`);
    }
    response.end(dialect.end ?? '');
  }

  /** A client may ask for something beside the conversation, without tools: that is no turn. */
  #next(dialect: Dialect, names: readonly string[], answered: number): readonly object[] {
    const call = this.plan[answered];
    if (call === undefined || names.length === 0) return dialect.done();
    const name = listedName(names, call);
    if (name === undefined) {
      this.#missing.add([call.tool].flat().join(' or '));
      return dialect.done();
    }
    return dialect.call(name, { args: JSON.stringify(call.args), input: call.input }, answered);
  }
}

/** Clients give our tools the name of the server. */
function listedName(names: readonly string[], { tool, own }: PlannedCall): string | undefined {
  const wanted = [tool].flat();
  const isIt = (name: string, one: string) =>
    own ? name === one : name.includes('castellan') && name.endsWith(one);
  return wanted.flatMap((one) => names.filter((name) => isIt(name, one)))[0];
}

/** The names of the tools in a request, wherever an API puts them; those in a namespace with its name before them. */
function toolNames(given: unknown): readonly string[] {
  const listed = objectOf(given).tools;
  return Array.isArray(listed) ? listed.flatMap((entry) => namesIn(entry)) : [];
}

function namesIn(entry: unknown): readonly string[] {
  const { name, type, function: inner, functionDeclarations, tools } = objectOf(entry);
  if (Array.isArray(functionDeclarations)) return functionDeclarations.flatMap((one) => namesIn(one));
  if (Array.isArray(tools)) return tools.flatMap((one) => namesIn(one).map((own) => `${name}/${own}`));
  if (inner !== undefined) return namesIn(inner);
  if (typeof name === 'string') return [name];
  // Tools that a model is trained on have a type and no name.
  return typeof type === 'string' ? [type] : [];
}

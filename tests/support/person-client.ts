import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import type { CommandReply } from './command-client.js';
import { ENVELOPES } from './other-answers.js';
import { MAIN } from './spawned-server.js';

const LONGEST_MS = 600_000;

export interface TextAnswer {
  readonly isError: boolean;
  readonly texts: readonly string[];
}

/** The SDK's client with a person in front of it, who answers what the server asks. */
export class PersonClient {
  readonly questions: string[] = [];
  answer: 'accept' | 'decline' = 'accept';
  readonly #client = new Client({ name: 'person', version: '1' }, { capabilities: { elicitation: {} } });

  async connect(cwd: string, policy: string | undefined, env: NodeJS.ProcessEnv): Promise<void> {
    this.#client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      this.questions.push(params.message);
      return this.answer === 'accept' ? { action: 'accept', content: {} } : { action: 'decline' };
    });
    const all = {
      ...process.env,
      LANG: 'C.UTF-8',
      ...ENVELOPES,
      CASTELLAN_WORKSPACE: cwd,
      CASTELLAN_POLICY: undefined,
      ...env,
    };
    const given = Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== undefined);
    const args = policy === undefined ? [MAIN] : [MAIN, '--policy', policy];
    const server = { command: process.execPath, args, cwd, env: Object.fromEntries(given) };
    await this.#client.connect(new StdioClientTransport({ ...server, stderr: 'ignore' }));
  }

  async tools(): Promise<readonly string[]> {
    return (await this.#client.listTools()).tools.map(({ name }) => name);
  }

  async call(name: string, args: Readonly<Record<string, unknown>>): Promise<CommandReply> {
    const { isError, texts } = await this.reads(name, args);
    const [text = ''] = texts;
    return text.startsWith('{') ? JSON.parse(text) : { success: !isError, error: text };
  }

  /** What a model reads as the answer. */
  async reads(name: string, args: Readonly<Record<string, unknown>>): Promise<TextAnswer> {
    const options = { timeout: LONGEST_MS };
    const result = await this.#client.callTool({ name, arguments: { ...args } }, undefined, options);
    const { content, isError } = result;
    const texts = (Array.isArray(content) ? content : []).map(({ text }) => text);
    if (texts.length === 0 || texts.some((text) => typeof text !== 'string'))
      throw new Error(`no text in ${JSON.stringify(result)}`);
    return { isError: isError === true, texts };
  }

  stop(): Promise<void> {
    return this.#client.close();
  }
}

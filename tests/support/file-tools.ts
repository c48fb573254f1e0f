import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach } from 'mocha';
import type { Castellan } from '../../src/composition/server/castellan.js';
import { createCastellan } from '../../src/composition/server/create-castellan.js';
import type { Envelope } from '../../src/domain/result.js';
import { allowing, SampleWorkspace } from './sample-workspace.js';

type Arguments = Readonly<Record<string, unknown>>;

/** What one answer may have where the policy says nothing. */
export const CAP = 256 * 1024;

/** The file tools of an embedded server, on a workspace of their own for each test. */
export class FileTools {
  #sample: SampleWorkspace | undefined;
  #castellan: Castellan | undefined;

  /** To be called in a describe(): sets up and clears away around each of its tests. */
  static forEachTest(): FileTools {
    const tools = new FileTools();
    beforeEach(() => tools.#open());
    afterEach(() => tools.#close());
    return tools;
  }

  get sample(): SampleWorkspace {
    if (this.#sample === undefined) throw new Error('There is a workspace only while a test runs.');
    return this.#sample;
  }

  get castellan(): Castellan {
    if (this.#castellan === undefined) throw new Error('There is a server only while a test runs.');
    return this.#castellan;
  }

  readonly at = (path: string): string => join(this.sample.root, path);

  readonly put = (path: string, content: string | Uint8Array): void => {
    mkdirSync(dirname(this.at(path)), { recursive: true });
    writeFileSync(this.at(path), content);
  };

  /** The blocks of a text answer. */
  readonly texts = async (tool: string, args: Arguments): Promise<readonly string[]> => {
    const outcome = await this.castellan.execute(tool, args);
    if (!outcome.success) throw new Error(outcome.error.message);
    return outcome.value.content.map((block) => (block.type === 'text' ? block.text : block.type));
  };

  readonly failure = async (tool: string, args: Arguments = {}) => {
    const outcome = await this.castellan.execute(tool, args);
    if (outcome.success) throw new Error(`${tool} succeeded`);
    return { message: outcome.error.message, type: outcome.errorType };
  };

  readonly envelope = async (tool: string, args: Arguments = {}): Promise<Envelope> => {
    const outcome = await this.castellan.execute(tool, args);
    if (!outcome.success) throw new Error(outcome.error.message);
    if (outcome.value.structured === undefined) throw new Error('no structured answer');
    return outcome.value.structured;
  };

  /** Everything a list has, page by page, each within what an answer may have. */
  readonly pages = async (tool: string, args: Arguments): Promise<readonly unknown[]> => {
    const all: unknown[] = [];
    for (let cursor: string | undefined, first = true; first || cursor !== undefined; first = false) {
      const answer = await this.envelope(tool, { ...args, ...(cursor !== undefined && { cursor }) });
      expect(JSON.stringify(answer).length).to.be.at.most(CAP);
      if (!Array.isArray(answer.value)) throw new Error('no array');
      all.push(...answer.value);
      cursor = answer.page?.next_cursor;
    }
    return all;
  };

  async #open(): Promise<void> {
    const rate = '    rate: { per: principal, limit: 100000/min }\n';
    this.#sample = new SampleWorkspace(allowing('.', rate));
    const { root, policy } = this.#sample;
    this.#castellan = await createCastellan({ workspace: root, policy, logLevel: 'silent' });
  }

  async #close(): Promise<void> {
    await this.#castellan?.close();
    this.#sample?.dispose();
  }
}

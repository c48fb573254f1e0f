import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { getEncoding } from 'js-tiktoken';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { estimateTokens } from '../../src/domain/text/token-estimate.js';
import { toolFromDefinition } from '../../src/presentation/docs/tool-from-definition.js';
import { builtinTools } from '../../src/presentation/tools/builtin-tools.js';
import { CliWorkspace } from '../support/cli-workspace.js';
import { ALL_SETS } from '../support/other-answers.js';

const o200k = getEncoding('o200k_base');

interface Listed {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
}

/** What a client hands its model. */
const given = ({ name, description, inputSchema }: Listed): string =>
  JSON.stringify({ name, description, inputSchema });
const tokensOf = (tools: readonly Listed[]): number =>
  tools.reduce((sum, tool) => sum + o200k.encode(given(tool)).length, 0);

const concise = builtinTools.map((definition): Listed => {
  const tool = toolFromDefinition(definition, 'concise', 'text');
  if (!tool.success) throw new Error(tool.error);
  return tool.value.toMcpFormat();
});

/** The figures of the pages, which two runs against other servers wrote; they grow old by at most a twentieth. */
function expectDocumented(tools: readonly Listed[]): void {
  const row = (file: string, title: string): number =>
    Number(new RegExp(`\\| ${title} \\| (\\d+) \\|`).exec(readFileSync(file, 'utf8'))?.[1]);
  for (const [file, count, tokens] of [
    ['docs/explanation/comparison.md', 'tools in the list', 'tokens of the list \\(o200k\\)'],
    ['bench/performance.md', 'the list: tools', 'the list: tokens'],
  ] as const) {
    expect(row(file, count), file).to.equal(tools.length);
    expect(row(file, tokens) / tokensOf(tools), file).to.be.within(0.95, 1.05);
  }
}

/** Whoever adds a tool pays for it here: shorten its words, or the words of others. */
describe('what a list of tools costs', () => {
  let project: CliWorkspace;
  beforeEach(() => {
    project = new CliWorkspace();
  });
  afterEach(() => project.remove());

  it('C29: under the policy of init 2,900 tokens, with every set 3,600; 25,000 bytes on the wire', async () => {
    await project.run(['init']);
    for (const [env, most, least] of [
      [{}, 2_900, 20],
      [ALL_SETS, 3_600, 26],
    ] as const) {
      const server = project.serve([], env);
      await server.initialize();
      const answer = await server.request('list', 'tools/list');
      const { tools } = JSON.parse(JSON.stringify(answer.result));
      expect(tools.length).to.be.at.least(least);
      expect(tokensOf(tools) / tools.length).to.be.at.most(150);
      expect(tokensOf(tools)).to.be.at.most(most);
      expect(JSON.stringify(answer).length).to.be.at.most(25_000);
      if (most === 2_900) expectDocumented(tools);
      await server.kill();
    }
  });

  it('every built-in tool together: 5,500 tokens', () => {
    expect(tokensOf(concise)).to.be.at.most(5_500);
  });

  it('what the official filesystem server does costs at most 1.4 times its 1,665 tokens here, bounds included', () => {
    const counterparts = concise.filter(
      ({ name }) =>
        builtinTools.some((tool) => tool.name === name && tool.category === 'file') ||
        ['execute_command', 'explain_permission'].includes(name),
    );
    expect(counterparts).to.have.length(14);
    expect(tokensOf(counterparts)).to.be.at.most(1.4 * 1_665);
  });

  it('is estimated without a tokenizer to a tenth, in all and to a fifth for a tool', () => {
    for (const tool of concise) {
      const text = given(tool);
      expect(estimateTokens(text) / o200k.encode(text).length, tool.name).to.be.within(0.8, 1.2);
    }
    const all = concise.map(given).join('\n');
    expect(estimateTokens(all) / o200k.encode(all).length).to.be.within(0.9, 1.1);
  });
});

import { expect } from 'chai';
import { describe, it } from 'mocha';
import { ScriptedModel } from '../../scripts/real-clients/scripted-model.js';

/** How each API of a model is given tools, and where it finds the answer of a call. */
const APIS: readonly (readonly [path: string, tools: object, result: object])[] = [
  [
    '/v1/messages?beta=true',
    { tools: [{ name: 'mcp__castellan__echo' }] },
    { messages: [{ content: [{ type: 'tool_result', content: 'Echo: hi' }] }] },
  ],
  [
    '/v1/responses',
    { tools: [{ type: 'namespace', name: 'mcp__castellan', tools: [{ name: 'echo' }] }] },
    { input: [{ type: 'function_call_output', output: 'Echo: hi' }] },
  ],
  [
    '/v1/chat/completions',
    { tools: [{ type: 'function', function: { name: 'castellan_echo' } }] },
    { messages: [{ role: 'tool', content: 'Echo: hi' }] },
  ],
  [
    '/v1beta/models/m:streamGenerateContent?alt=sse',
    { tools: [{ functionDeclarations: [{ name: 'mcp_castellan_echo' }] }] },
    { contents: [{ parts: [{ functionResponse: { response: { output: 'Echo: hi' } } }] }] },
  ],
];

describe('the model that real clients are given', () => {
  for (const [path, tools, result] of APIS) {
    it(`asks for our tool and hears its answer at ${path}`, async () => {
      const model = new ScriptedModel([{ tool: 'echo', args: { message: 'hi' } }]);
      const url = (await model.listen()) + path;
      const post = async (body: object) =>
        (await fetch(url, { method: 'POST', body: JSON.stringify(body) })).text();
      try {
        expect(await post(tools))
          .to.contain('echo')
          .and.contain('hi')
          .and.not.contain('"done"');
        expect(model.heard.answers).to.deep.equal([]);
        expect(await post({ ...tools, ...result })).to.contain('"done"');
        expect(model.heard.answers.join()).to.contain('Echo: hi');
        expect([...model.heard.tools]).to.have.length(1);
        expect(await post({})).to.contain('"done"');
      } finally {
        model.close();
      }
    });
  }
});

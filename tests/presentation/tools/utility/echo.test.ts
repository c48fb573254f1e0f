import { expect } from 'chai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { echoTool } from '../../../../src/presentation/tools/utility/echo.tool.js';
import { callTool } from '../../../../src/testing/testing.js';
import { mustFail, mustValue, textOf } from '../../../support/sample-tool.js';

describe('echo', () => {
  it('S4-07, S4-27: answers "Echo: " and the message', async () => {
    expect(textOf(mustValue(await callTool(echoTool, { message: 'hi' })))).to.equal('Echo: hi');
  });

  it('S4-07, S4-27: an empty call is no error', async () => {
    for (const args of [{}, { message: '' }]) {
      const result = mustValue(await callTool(echoTool, args));
      expect(textOf(result)).to.equal('Echo: ');
      expect(result.isError).to.equal(false);
    }
  });

  it('sends any text back as it came', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme' }), async (message) => {
        expect(textOf(mustValue(await callTool(echoTool, { message })))).to.equal(`Echo: ${message}`);
      }),
      { numRuns: 25 },
    );
  });

  it('S0-11: refuses another key', async () => {
    expect(mustFail(await callTool(echoTool, { massage: 'x' })).error.message).to.contain('massage');
  });

  for (const example of echoTool.examples) {
    it(`does what its example says: ${example.title}`, async () => {
      const text = textOf(mustValue(await callTool(echoTool, example.arguments)));
      expect(example.title).to.contain(`"${text}"`);
    });
  }
});

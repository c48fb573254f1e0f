import { expect } from 'chai';
import { describe, it } from 'mocha';
import * as Type from 'typebox';
import { Result } from '../../../src/domain/result.js';
import { ToolResult } from '../../../src/domain/tool/tool-result.js';
import { defineTool } from '../../../src/presentation/tools/define-tool.js';
import { toolArguments } from '../../../src/presentation/tools/tool-arguments.js';
import { callTool, RecordingLogger } from '../../../src/testing/testing.js';
import { Greeter } from '../../support/greeter.js';
import { levelsOf } from '../../support/pipeline.js';
import { definition, mustFail, mustValue, textOf } from '../../support/sample-tool.js';

const { input: _input, needs: _needs, run: _run, permissions: _permissions, ...said } = definition();

const greet = defineTool({
  ...said,
  name: 'greet',
  input: toolArguments({ name: Type.String({ description: 'Whom.' }) }),
  needs: { greeter: Greeter },
  run: async ({ name }, { greeter }) => Result.ok(ToolResult.text(greeter.greet(name))),
});

const createDocument = defineTool({
  ...said,
  name: 'create_document',
  explicitAction: 'CREATE_DOCUMENT',
  input: toolArguments({
    name: Type.String({ description: 'Its name.' }),
    explicit_action: Type.Literal('CREATE_DOCUMENT', { description: 'Consent.' }),
  }),
  run: ({ name }) => Result.ok(ToolResult.text(`created ${name}`)),
});

describe('defineTool', () => {
  it('S3-05: is one value with name, description, schema and what runs', () => {
    expect(greet).to.include.keys('name', 'description', 'input', 'run', 'needs');
    expect(defineTool({ ...said, input: toolArguments({}), run: () => Result.ok(1) }).needs).to.deep.equal(
      {},
    );
  });

  it('hands the handler its typed arguments and its needs', async () => {
    const greeter: Greeter = { greet: (name) => `Hello ${name}` };
    const result = mustValue(await callTool(greet, { name: 'Ada' }, { needs: { greeter } }));
    expect(textOf(result)).to.equal('Hello Ada');
  });

  it('S0-41, S0-42: a tool with an explicit action runs on the exact word and on no other', async () => {
    const good = await callTool(createDocument, { name: 'x', explicit_action: 'CREATE_DOCUMENT' });
    expect(textOf(mustValue(good))).to.equal('created x');
    for (const args of [
      { name: 'x' },
      { name: 'x', explicit_action: 'create_document' },
      { name: 'x', explicit_action: true },
    ]) {
      const failure = mustFail(await callTool(createDocument, args));
      expect(failure.errorType).to.equal('ToolValidationError');
      expect(failure.error.message).to.contain('explicit_action');
    }
  });
});

describe('callTool', () => {
  it('goes through the real pipeline: validation, log and limits', async () => {
    const logger = new RecordingLogger();
    expect(mustFail(await callTool(greet, {}, { needs: { greeter: {} }, logger })).errorType).to.equal(
      'ToolValidationError',
    );
    const slow = { ...definition(), run: () => new Promise<never>(() => {}) };
    const failure = mustFail(await callTool(slow, {}, { budget: { timeoutMs: 5 }, logger }));
    expect(failure.errorType).to.equal('ToolTimeoutError');
    expect(levelsOf(logger)).to.include('trace Tool called: sample');
  });

  it('hands on the signal of its caller', async () => {
    const signal = AbortSignal.abort();
    expect(mustFail(await callTool(definition(), {}, { signal })).error.kind).to.equal('cancelled');
  });

  it('refuses a need the tool does not have, and a tool without its needs', async () => {
    const wrong = await callTool(greet, { name: 'x' }, { needs: { greetor: {} } }).catch(
      (error: unknown) => error,
    );
    expect(String(wrong)).to.contain('has no need called "greetor"; it has greeter');
    const without = await callTool(greet, { name: 'x' }).catch((error: unknown) => error);
    expect(String(without)).to.contain('needs Symbol(test.Greeter)');
  });
});

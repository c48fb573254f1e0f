import { expect } from 'chai';
import { describe, it } from 'mocha';
import * as Type from 'typebox';
import { Settings } from 'typebox/system';
import type { ToolInputSchema } from '../../../src/domain/tool/tool-input-schema.js';
import { EVENT_LOOP } from '../../../src/infrastructure/system/immediate-turns.js';
import { TypeboxInputValidator } from '../../../src/infrastructure/tool/typebox-input-validator.js';
import { toolArguments } from '../../../src/presentation/tools/tool-arguments.js';
import { mustFail, mustValue, sampleTool } from '../../support/sample-tool.js';

const ARGUMENTS = toolArguments({
  path: Type.String({ minLength: 1, description: 'Where the file is.' }),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 20, default: 10 })),
  mode: Type.Optional(Type.Union([Type.Literal('a'), Type.Literal('b')])),
  explicit_action: Type.Optional(Type.Literal('CREATE_DOCUMENT')),
  value: Type.Optional(
    Type.Union([
      Type.Boolean(),
      Type.String({ maxLength: 9 }),
      Type.Array(Type.String(), { minItems: 1, maxItems: 2 }),
      Type.Null(),
    ]),
  ),
  edits: Type.Optional(Type.Array(toolArguments({ old_text: Type.String() }))),
});

async function check(input: unknown, schema: ToolInputSchema = ARGUMENTS) {
  return new TypeboxInputValidator({}, EVENT_LOOP).check(sampleTool({ inputSchema: schema }), input);
}

async function problemsOf(input: unknown, schema?: ToolInputSchema) {
  const { error } = mustFail(await check(input, schema));
  return error.kind === 'invalid-input' ? error.problems : expect.fail(error.kind);
}

describe('TypeboxInputValidator', () => {
  it('S0-12: gives good arguments back frozen, all the way down', async () => {
    const values = mustValue(await check({ path: 'x', edits: [{ old_text: 'y' }] }));
    expect(() => Object.assign(values, { path: 7 })).to.throw(TypeError);
    expect(() => Object.assign(values, { other: 7 })).to.throw(TypeError);
    expect(Object.isFrozen((values.edits as readonly object[])[0])).to.equal(true);
  });

  it('fills in defaults and leaves the caller’s object alone', async () => {
    const input = { path: 'x' };
    expect(mustValue(await check(input))).to.deep.equal({ path: 'x', limit: 10 });
    expect(input).to.deep.equal({ path: 'x' });
    expect(Object.isFrozen(input)).to.equal(false);
  });

  it('takes the digits of a whole number where only one is taken, and nothing that is not quite one', async () => {
    expect(mustValue(await check({ path: '7', limit: '12', value: '3' }))).to.deep.equal({
      path: '7',
      limit: 12,
      value: '3',
    });
    for (const limit of ['', ' 5', '5.0', '05', '0x5', '1e1', '5 lines', 'true', '21', ['5']]) {
      const [problem] = await problemsOf({ path: 'x', limit });
      expect(problem, String(limit)).to.include({ parameter_name: 'limit' });
    }
    const [problem] = await problemsOf({ path: 'x', limit: '21' });
    expect(problem?.received).to.contain('"21"');
  });

  it('fills in what the settings say for the tool, before what its schema says, and without a check', () => {
    const tool = sampleTool({ inputSchema: ARGUMENTS });
    const validator = new TypeboxInputValidator(
      { [tool.name]: { limit: 3 }, other: { limit: 4 } },
      EVENT_LOOP,
    );
    expect(validator.complete(tool, {})).to.deep.equal({ limit: 3 });
    expect(validator.complete(tool, { limit: 5, more: 1 })).to.deep.equal({ limit: 5, more: 1 });
  });

  it('S0-11: refuses a key that is not an argument, and suggests the one that was meant', async () => {
    expect(await problemsOf({ path: 'x', limits: 3 })).to.deep.equal([
      {
        parameter_name: 'limits',
        issue: 'limits is not an argument of this tool',
        expected: 'only path, limit, mode, explicit_action, value, edits',
        received: 'limits',
        hint: 'Did you mean limit?',
      },
    ]);
  });

  it('says "path is required" for a missing path and for an empty one', async () => {
    for (const input of [{}, { path: '' }]) {
      const [problem] = await problemsOf(input);
      expect(problem).to.include({
        parameter_name: 'path',
        issue: 'path is required',
        hint: 'Where the file is.',
      });
    }
    expect(mustFail(await check({})).error.message).to.equal('path is required');
  });

  it('S3-14: lists every problem, one a field', async () => {
    const problems = await problemsOf({ limit: 99, mode: 'c', extra: 1 });
    expect(problems.map((each) => each.parameter_name)).to.have.members(['path', 'limit', 'mode', 'extra']);
  });

  const wrong: readonly (readonly [string, unknown, string, string])[] = [
    ['a type', { path: 7 }, 'path', 'path must be a string of at least 1 character'],
    ['a bound', { path: 'x', limit: 21 }, 'limit', 'limit must be an integer of 1 to 20'],
    ['a choice', { path: 'x', mode: 'c' }, 'mode', 'mode must be one of "a", "b"'],
    [
      'a nested field',
      { path: 'x', edits: [{ old_text: 1 }] },
      'edits[0].old_text',
      'edits[0].old_text must be a string',
    ],
    [
      'a nested key',
      { path: 'x', edits: [{ old_text: '', x: 1 }] },
      'edits[0].x',
      'edits[0].x is not an argument of this tool',
    ],
    [
      'a union',
      { path: 'x', value: 7 },
      'value',
      'value must be a boolean, a string of at most 9 characters, an array of 1 to 2 entries or null',
    ],
    [
      'no object',
      'text',
      'arguments',
      'arguments must be an object {path, limit?, mode?, explicit_action?, value?, edits?}',
    ],
    [
      'a list',
      [],
      'arguments',
      'arguments must be an object {path, limit?, mode?, explicit_action?, value?, edits?}',
    ],
    [
      'null',
      null,
      'arguments',
      'arguments must be an object {path, limit?, mode?, explicit_action?, value?, edits?}',
    ],
  ];
  for (const [title, input, name, issue] of wrong) {
    it(`names field and expectation of ${title} that is wrong`, async () => {
      const [problem] = await problemsOf(input);
      expect(problem).to.include({ parameter_name: name, issue });
    });
  }

  it('S0-42, S1-22: only the exact word of a literal passes', async () => {
    expect((await check({ path: 'x', explicit_action: 'CREATE_DOCUMENT' })).success).to.equal(true);
    for (const word of ['create_document', 'CREATE_DOCUMENT ', 'YES', '', true, null]) {
      const [problem] = await problemsOf({ path: 'x', explicit_action: word });
      expect(problem).to.include({
        parameter_name: 'explicit_action',
        expected: 'exactly "CREATE_DOCUMENT"',
      });
    }
  });

  it('tells at most twenty problems, and never a long value or a secret', async () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`k${n}`, n]));
    const problems = await problemsOf({ path: 'x', ...many });
    expect(problems).to.have.length(20);
    expect(problems[0]?.issue).to.equal('k0 is not an argument of this tool');
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    const [problem] = await problemsOf({ path: 'x', limit: `${secret} ${'y'.repeat(5000)}` });
    expect(problem?.received).not.to.contain(secret);
    expect(problem?.received.length).to.be.below(100);
  });

  it('S3-14: a dozen problems are a dozen, and TypeBox is left as it was', async () => {
    const fields = Array.from({ length: 12 }, (_, n) => `f${n}`);
    const schema = toolArguments(Object.fromEntries(fields.map((name) => [name, Type.String()])));
    const before = Settings.Get().maxErrors;
    const all = await problemsOf(Object.fromEntries(fields.map((name) => [name, 1])), schema);
    expect(all.map((each) => each.parameter_name)).to.deep.equal(fields);
    expect(Settings.Get().maxErrors).to.equal(before);
  });

  it('names a key that looks like a number or a path, and one that may never be given', async () => {
    const closed = toolArguments({ e: Type.Array(toolArguments({})) });
    const names = (await problemsOf({ e: [{ 5: 1, 'a/b': 1 }] }, closed)).map((each) => each.parameter_name);
    expect(names).to.deep.equal(['e[0].5', 'e[0].a/b']);
    const never: ToolInputSchema = { type: 'object', properties: { no: Type.Never() } };
    expect((await problemsOf({ no: 1 }, never))[0]?.parameter_name).to.equal('no');
  });

  it('takes __proto__ for a key like any other', async () => {
    const [problem] = await problemsOf(JSON.parse('{"path":"x","__proto__":{"limit":1}}'));
    expect(problem?.parameter_name).to.equal('__proto__');
    expect(({} as Record<string, unknown>).limit).to.equal(undefined);
  });

  it('checks an embedder’s own JSON Schema as it stands', async () => {
    const open: ToolInputSchema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };
    expect(mustValue(await check({ n: 1, more: 'x' }, open))).to.deep.equal({ n: 1, more: 'x' });
    expect((await problemsOf({}, open))[0]?.issue).to.equal('n is required');
  });
});

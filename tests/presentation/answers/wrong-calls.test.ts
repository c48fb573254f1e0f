import { expect } from 'chai';
import { describe, it } from 'mocha';
import type { ToolDefinition } from '../../../src/application/tool/tool-definition.js';
import { isJsonObject } from '../../../src/domain/json-value.js';
import type { Tool } from '../../../src/domain/tool/tool.js';
import { EVENT_LOOP } from '../../../src/infrastructure/system/immediate-turns.js';
import { TypeboxInputValidator } from '../../../src/infrastructure/tool/typebox-input-validator.js';
import { failureBlocks } from '../../../src/presentation/answers/failure-text.js';
import { toolFromDefinition } from '../../../src/presentation/docs/tool-from-definition.js';
import { builtinTools } from '../../../src/presentation/tools/builtin-tools.js';
import { mustValue } from '../../support/sample-tool.js';

type Fields = Readonly<Record<string, unknown>>;

interface WrongCall {
  readonly tool: Tool;
  readonly title: string;
  readonly argument: string;
  readonly arguments: Fields;
}

const validator = new TypeboxInputValidator({}, EVENT_LOOP);

/** Everything that can be wrong about one argument, as its schema says. */
function wrongValues(schema: Fields): readonly (readonly [string, unknown])[] {
  const { type, minimum, maximum, exclusiveMinimum, minLength, maxLength, minItems, maxItems } = schema;
  const typed = type !== undefined || schema.const !== undefined;
  return [
    ...(typed && type !== 'object' ? [['an object', {}] as const] : []),
    ...(typed && type !== 'array' ? [['a list', ['x']] as const] : []),
    ...(type === 'array' || type === 'object' ? [['a word', 'wrong'] as const] : []),
    ...(typed ? [['null', null] as const] : []),
    ...(Array.isArray(schema.enum) || schema.const !== undefined
      ? [['another word', 'no such word'] as const]
      : []),
    ...(typeof minimum === 'number' ? [['too little', minimum - 1] as const] : []),
    ...(typeof exclusiveMinimum === 'number' ? [['the bound itself', exclusiveMinimum] as const] : []),
    ...(typeof maximum === 'number' ? [['too much', maximum + 1] as const] : []),
    ...(type === 'integer' ? [['a fraction', 1.5] as const] : []),
    ...(typeof minLength === 'number' && minLength > 0 ? [['nothing', ''] as const] : []),
    ...(typeof maxLength === 'number' && maxLength <= 5_000
      ? [['too long', 'x'.repeat(maxLength + 1)] as const]
      : []),
    ...(typeof minItems === 'number' && minItems > 0 ? [['no entry', []] as const] : []),
    ...(typeof maxItems === 'number' &&
    maxItems <= 100 &&
    isJsonObject(schema.items) &&
    schema.items.type === 'string'
      ? [['too many', Array.from({ length: maxItems + 1 }, () => 'x')] as const]
      : []),
    ...(typeof schema.pattern === 'string' ? [['another form', 'not a name!'] as const] : []),
  ];
}

function wrongCalls(definition: ToolDefinition): readonly WrongCall[] {
  const tool = mustValue(toolFromDefinition(definition, 'concise', 'text'));
  const good = definition.examples[0]?.arguments ?? {};
  const call = (argument: string, title: string, args: Fields) => ({
    tool,
    title,
    argument,
    arguments: args,
  });
  const { required = [], properties = {} } = definition.input;
  return [
    ...required.map((name) => {
      const { [name]: _, ...rest } = good;
      return call(name, 'missing', rest);
    }),
    ...Object.entries(properties).flatMap(([name, schema]) =>
      isJsonObject(schema)
        ? wrongValues(schema).map(([title, value]) => call(name, title, { ...good, [name]: value }))
        : [],
    ),
    call('frobnicate', 'unknown', { ...good, frobnicate: 1 }),
  ];
}

/** What a reader of a refusal knows: its words and nothing else. */
async function refusalOf({ tool, arguments: args }: WrongCall): Promise<string | undefined> {
  const checked = await validator.check(tool, args);
  if (checked.success) return undefined;
  return failureBlocks(checked)
    .map((block) => (block.type === 'text' ? block.text : ''))
    .join('\n');
}

/** The arguments again as the words of the refusal ask for them. */
function corrected({ argument, arguments: args }: WrongCall, words: string): Fields {
  const { [argument]: _, ...rest } = args;
  if (words.includes(`Leave ${argument} out`)) return rest;
  const name = argument.replaceAll('_', '\\_');
  const wanted =
    new RegExp(`${name} must be (.*?); got`, 's').exec(words)?.[1] ??
    new RegExp(`^${name} \\((.*?)\\): `, 'ms').exec(words)?.[1];
  if (wanted === undefined) throw new Error(`Nothing says what ${argument} must be: ${words}`);
  return { ...rest, [argument]: valueFor(wanted) };
}

/** A value as the words ask for it. */
function valueFor(wanted: string): unknown {
  const quoted = /^(?:exactly|one of) ("(?:[^"\\]|\\.)*")/.exec(wanted)?.[1];
  if (quoted !== undefined) return JSON.parse(quoted);
  const least = Number(/ of (?:at least )?(\d+)/.exec(wanted)?.[1] ?? / above (\d+)/.exec(wanted)?.[1] ?? 0);
  if (/^an integer|^a number/.test(wanted)) return / above /.test(wanted) ? least + 1 : least;
  if (wanted.startsWith('a boolean')) return true;
  if (wanted.startsWith('a string')) return 'x'.repeat(Math.max(1, / of at most /.test(wanted) ? 1 : least));
  if (wanted.startsWith('an array')) {
    const [, each] = /, each (.*)$/s.exec(wanted) ?? [];
    return each === undefined ? [] : [valueFor(each)];
  }
  if (wanted.startsWith('an object')) {
    const [, members = ''] = /\{(.*)\}/s.exec(wanted) ?? [];
    const needed = members.split(', ').filter((member) => member !== '' && !member.endsWith('?'));
    return Object.fromEntries(needed.map((member) => [member, 'x']));
  }
  throw new Error(`No value is known for: ${wanted}`);
}

describe('wrong calls of every tool', () => {
  const calls = builtinTools.flatMap(wrongCalls);

  it('are more than 200', () => expect(calls.length).to.be.above(200));

  for (const definition of builtinTools) {
    it(`C29, S0-60: are refused by ${definition.name} with words from which the right call follows`, async () => {
      for (const call of wrongCalls(definition)) {
        const at = `${call.argument}: ${call.title}`;
        const words = await refusalOf(call);
        expect(words, at).to.match(/^ToolValidationError \(-32602\): /);
        const again = corrected(call, words ?? '');
        const checked = await validator.check(call.tool, again);
        expect(checked.success, `${at}\n${words}\n${JSON.stringify(again)}`).to.equal(true);
      }
    });
  }
});

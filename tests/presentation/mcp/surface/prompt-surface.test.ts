import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { ToolImplementations } from '../../../../src/application/call/pipeline/tool-implementations.js';
import type { Castellan } from '../../../../src/composition/server/castellan.js';
import { createCastellan } from '../../../../src/composition/server/create-castellan.js';
import { parseTemplate } from '../../../../src/domain/prompt/prompt-template.js';
import { ProtocolSurface } from '../../../../src/presentation/mcp/surface/protocol-surface.js';
import { builtinTools } from '../../../../src/presentation/tools/builtin-tools.js';
import { defineTool } from '../../../../src/presentation/tools/define-tool.js';
import { toolArguments } from '../../../../src/presentation/tools/tool-arguments.js';
import { eventually } from '../../../support/eventually.js';
import { ENVELOPES, useInstead } from '../../../support/other-answers.js';
import { policyFile } from '../../../support/policy-file.js';
import { toolAnswer } from '../../../support/wire.js';

const PATTERN =
  "---\nrules:\n  - { id: no-eval, message: Never evaluate, regex: 'eval\\(', examples: { bad: ['eval(x)'] } }\n---\n# No eval\n";
const META = 'castellan/workflow';
const SLOTS = [...'123456789ABCDEF'];
const SHIPPED = join(import.meta.dirname, '../../../../config/prompts');

const relayTool = defineTool({
  name: 'relay',
  version: '1.0.0',
  category: 'test',
  summary: 'Calls echo directly.',
  description: 'Calls the function behind echo.',
  usage: 'Call it.',
  examples: [{ title: 'A call', arguments: {} }],
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  security: 'Only for tests.',
  input: toolArguments({}),
  needs: { tools: ToolImplementations },
  run: (_args, { tools }, context) => tools.run('echo', { message: 'straight' }, context),
});

describe('Prompts and workflows over the protocol', () => {
  useInstead(ENVELOPES);
  let root: string;
  let castellan: Castellan;
  let surface: ProtocolSurface;

  const answer = async (method: string, params: Record<string, unknown> = {}) => {
    const wire = await surface.answer(method, castellan.session.id, params);
    if (wire === undefined || !('result' in wire)) throw new Error(JSON.stringify(wire));
    return JSON.parse(JSON.stringify(wire.result));
  };
  const refusal = async (params: Record<string, unknown>) => {
    const wire = await surface.answer('prompts/get', castellan.session.id, params);
    return wire !== undefined && 'error' in wire ? wire.error.message : '';
  };
  const call = async (name: string, args: object, meta: object = {}) => {
    const params = { name, arguments: args, _meta: meta };
    const wire = await toolAnswer(surface, castellan.session.id, params);
    if ('resultJson' in wire) return JSON.parse(wire.resultJson).structuredContent;
    if (!('result' in wire)) throw new Error(JSON.stringify(wire));
    return JSON.parse(JSON.stringify(wire.result)).structuredContent;
  };
  const prompt = (name: string, text: string, extra: object = {}) =>
    writeFileSync(
      join(root, `prompts/${name}.json`),
      JSON.stringify({
        name,
        description: 'Say it.',
        examples: ['one'],
        messages: [{ role: 'user', content: { type: 'text', text } }],
        ...extra,
      }),
    );

  before(async () => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'castellan-prompts-')));
    mkdirSync(join(root, 'patterns'));
    mkdirSync(join(root, 'prompts'));
    writeFileSync(join(root, 'patterns/no-eval.md'), PATTERN);
    writeFileSync(
      join(root, 'castellan.yaml'),
      'categories: { patterns: { dir: patterns } }\nprompts: { dir: prompts }\n',
    );
    const slots = ['1', '2', 'A'].map((slot) => ({
      name: `arg${slot}`,
      description: 'A word.',
      required: slot === '1',
    }));
    prompt('say', 'First {{arg1}}, second {{arg2}}, all {{args}}.', {
      arguments: slots,
      examples: ['one two'],
    });
    prompt('many-slots', SLOTS.map((slot) => `{{arg${slot}}}`).join('|'), {
      arguments: SLOTS.map((slot) => ({
        name: `arg${slot}`,
        description: 'A word.',
        required: slot === '1',
      })),
    });
    prompt('runs-writer', '{{run:write-file path=file content=file}}', {
      arguments: [{ name: 'file', description: 'A file.', required: true }],
    });
    prompt('runs-hidden', '{{run:read-file path=file}}', {
      arguments: [{ name: 'file', description: 'A file.', required: true }],
    });
    prompt('broken-reference', '{{tool:nothing}} {{nobody}} {{text}}', {
      arguments: [{ name: 'text', description: 'A text.', required: true }],
    });
    castellan = await createCastellan({
      toolDescriptions: 'full',
      workspace: root,
      config: join(root, 'castellan.yaml'),
      policy: policyFile('extends: [builtin:workspace]\ntools: { relay: {} }\n'),
      logLevel: 'silent',
      toolPrefix: 'guide',
      tools: [relayTool],
    });
    surface = castellan.container.get(ProtocolSurface);
  });
  after(async () => {
    await castellan.close();
    rmSync(root, { recursive: true, force: true });
  });

  it('S3-37, S3-38: ships the four prompts, each with references to tools', async () => {
    const { prompts } = await answer('prompts/list');
    const names = prompts.map(({ name }: { name: string }) => name);
    for (const name of [
      'guided-pattern-validation',
      'review-code-against-patterns',
      'suggest-patterns',
      'create-adr',
    ]) {
      expect(names).to.include(name);
      expect(readFileSync(join(SHIPPED, `${name}.json`), 'utf8')).to.match(/\{\{tool:/);
    }
  });

  it('ships prompts that refer only to tools that are built in and to arguments of their own', () => {
    const known = builtinTools.map(({ name }) => name);
    for (const file of readdirSync(SHIPPED).filter((name) => name.endsWith('.json'))) {
      const shipped = JSON.parse(readFileSync(join(SHIPPED, file), 'utf8'));
      for (const { content } of shipped.messages) {
        for (const part of parseTemplate(content.text)) {
          if (part.kind === 'tool') expect(known, file).to.include(part.name.replaceAll('-', '_'));
          if (part.kind === 'run') {
            expect(known, file).to.include(part.name.replaceAll('-', '_'));
            for (const [, name] of part.takes)
              expect(JSON.stringify(shipped.arguments), file).to.include(`"${name}"`);
          }
          if (part.kind === 'argument')
            expect(JSON.stringify(shipped.arguments), file).to.include(`"${part.name}"`);
        }
      }
    }
  });

  it('S3-35: every shipped file is a prompt whose first line has at most 50 characters', () => {
    for (const file of readdirSync(SHIPPED).filter((name) => name.endsWith('.json'))) {
      const { description, name, messages, ...rest } = JSON.parse(readFileSync(join(SHIPPED, file), 'utf8'));
      // S0-63: near its definition it points to the template.
      expect(rest.$comment).to.match(/README\.md/);
      expect(description.split('\n')[0].length).to.be.at.most(50);
      expect(`${name}.json`).to.equal(file);
      expect(messages[0].content.type).to.equal('text');
    }
  });

  it('S3-36: {{tool:…}} shows the canonical name, how to call it and the parameters in order', async () => {
    const { messages } = await answer('prompts/get', {
      name: 'guided-pattern-validation',
      arguments: { code: 'x' },
    });
    expect(messages[0].content.text).to.include(
      [
        'Tool: validate_against_pattern',
        'Call as: guide_validate_against_pattern',
        'Description: Hold code against a documented pattern.',
        'Parameters:',
        '  - code (required): Code to validate (max 50000 chars)',
        '  - pattern_name (required): Name of pattern to validate against, such as repository-pattern (max 200 chars)',
        '  - language (optional): Programming language; detected where absent (max 40 chars)',
      ].join('\n'),
    );
    expect(messages[0].content.text).to.include(
      [
        'Tool: search_architecture',
        'Call as: guide_search_architecture',
        "Description: Find sections in the project's documents.",
        'Parameters:',
        '  - query (required): What to look for, in words; 1 to 500 characters (max 500 chars)',
        '  - resource_type (optional): Where to look: all, guidelines, patterns, adr or documents (one of all, guidelines, patterns, adr, documents, default all)',
      ].join('\n'),
    );
    expect(messages[0].content.text).to.match(
      /\n {2}- max_results \(optional\): .*\(min 1, max 20, default 10\)/,
    );
  });

  it('S3-50: a prompt opens a workflow, a tool takes its code, and the next one sees its result', async () => {
    const got = await answer('prompts/get', {
      name: 'guided-pattern-validation',
      arguments: { code: 'eval(text)' },
    });
    const handle = got._meta[META];
    expect(handle).to.match(/^wf_[0-9a-f-]{36}$/);
    expect(got.messages[0].content.text).to.include(handle);
    const first = await call(
      'guide_validate_against_pattern',
      { pattern_name: 'no-eval' },
      { [META]: handle },
    );
    expect(first.value.violations[0]).to.include({ rule: 'no-eval', line: 1, column: 1 });
    const second = await call('search_architecture', { query: 'eval' }, { [META]: handle });
    expect(second.instruction).to.match(
      /validate_against_pattern found 1 violations of No eval \(violations\)/,
    );
  });

  it('S3-40: in a session of 2025 the latest workflow is the default; a strange handle is none', async () => {
    await answer('prompts/get', { name: 'guided-pattern-validation', arguments: { code: 'fine()' } });
    const given = { pattern_name: 'no-eval', code: 'fine()' };
    expect((await call('validate_against_pattern', given)).value.verdict).to.equal('compliant');
    expect((await call('search_architecture', { query: 'eval' })).instruction).to.match(
      /^Earlier in this guided-pattern-validation: validate_against_pattern found 0 violations/,
    );
    const strange = await call(
      'validate_against_pattern',
      { pattern_name: 'no-eval' },
      { [META]: 'wf_stranger' },
    );
    expect(strange.error_type).to.equal('ToolValidationError');
  });

  it('S3-40: what a call leaves out is taken from a workflow only where the call names it', async () => {
    const got = await answer('prompts/get', {
      name: 'guided-pattern-validation',
      arguments: { code: 'fine()' },
    });
    const silent = await call('validate_against_pattern', { pattern_name: 'no-eval' });
    expect(silent).to.include({ error_type: 'ToolValidationError', error: 'code is required' });
    const named = await call(
      'validate_against_pattern',
      { pattern_name: 'no-eval' },
      { [META]: got._meta[META] },
    );
    expect(named.value.verdict).to.equal('compliant');
  });

  it('S3-24: code and pattern_name are required, language is not', async () => {
    const { tools } = await answer('tools/list');
    const tool = tools.find(({ name }: { name: string }) => name === 'guide_validate_against_pattern');
    expect(tool.inputSchema.required).to.deep.equal(['code', 'pattern_name']);
    expect(tool.inputSchema.properties).to.have.property('language');
  });

  it('S3-32: a description has at most 5000 characters and a context 2000', async () => {
    const { tools } = await answer('tools/list');
    const { inputSchema } = tools.find(({ name }: { name: string }) => name === 'guide_check_adr_alignment');
    expect(inputSchema.required).to.deep.equal(['decision_description']);
    expect(inputSchema.properties.decision_description.maxLength).to.equal(5000);
    expect(inputSchema.properties.decision_context.maxLength).to.equal(2000);
  });

  it('S0-62: a prompt with all fifteen slots shows only *args, and fills each slot in order', async () => {
    const { prompts } = await answer('prompts/list');
    const many = prompts.find(({ name }: { name: string }) => name === 'many-slots');
    expect(many.arguments.map(({ name }: { name: string }) => name)).to.deep.equal(['args']);
    expect(many.arguments[0].description).to.match(/^Up to 15 values/);
    expect(JSON.stringify(many)).not.to.match(/arg[1-9A-F]/);
    expect(many.description).to.include('many-slots(*args)\n- *args (string, required): Up to 15');
    const values = SLOTS.map((slot) => `value-${slot}`);
    const args = { args: values.join(' ') };
    const { messages } = await answer('prompts/get', { name: 'many-slots', arguments: args });
    expect(messages[0].content.text.split('\n')[0]).to.equal(values.join('|'));
  });

  it('takes a value with spaces in quotes', async () => {
    const { messages } = await answer('prompts/get', { name: 'say', arguments: { args: 'one "two three"' } });
    expect(messages[0].content.text).to.match(/^First one, second two three, all one "two three"\./);
  });

  it('refuses unknown and missing arguments and unknown prompts, and reports unknown placeholders', async () => {
    expect(await refusal({ name: 'create-adr', arguments: { topic: 'x', colour: 'y' } })).to.match(
      /no argument "colour"/,
    );
    expect(await refusal({ name: 'create-adr' })).to.match(/needs topic/);
    expect(await refusal({ name: 'create-ard' })).to.match(/Did you mean create-adr/);
    const got = await answer('prompts/get', {
      name: 'broken-reference',
      arguments: { text: '{{tool:echo}}' },
    });
    expect(got._meta['castellan/problems']).to.have.length(2);
    // What an argument holds is no template.
    expect(got.messages[0].content.text).to.match(/^\{\{tool:nothing\}\} \{\{nobody\}\} \{\{tool:echo\}\}/);
  });

  it('takes in at most fifty resources in all messages together', async () => {
    mkdirSync(join(root, 'patterns/many'));
    for (let index = 0; index < 40; index += 1)
      writeFileSync(join(root, `patterns/many/p${index}.md`), `# P${index}\n\nOne of many.\n`);
    const content = { type: 'text', text: '{{resource:architecture://patterns/many/*}}' };
    prompt('many', '', { messages: [content, content].map((each) => ({ role: 'user', content: each })) });
    await eventually('the prompt is there', async () =>
      (await answer('prompts/list')).prompts.some(({ name }: { name: string }) => name === 'many'),
    );
    await eventually('the patterns are there', async () => {
      const { messages, _meta } = await answer('prompts/get', { name: 'many' });
      const texts = messages.map(({ content: { text } }: { content: { text: string } }) => text).join('');
      return texts.split('One of many.').length - 1 === 50 && _meta['castellan/problems'].length === 1;
    });
    rmSync(join(root, 'patterns/many'), { recursive: true });
    rmSync(join(root, 'prompts/many.json'));
    await eventually('the prompt is gone', async () =>
      (await answer('prompts/list')).prompts.every(({ name }: { name: string }) => name !== 'many'),
    );
  });

  it('grows only so far, however often a template names a thing', async () => {
    const arguments_ = [{ name: 'x', description: 'd', required: true }];
    const text = `${'{{x}}'.repeat(20_000)}${'{{resource:architecture://patterns/absent-*}}'.repeat(500)}`;
    prompt('growing', '', {
      arguments: arguments_,
      messages: [{ role: 'user', content: { type: 'text', text } }],
    });
    await eventually('the prompt is there', async () =>
      (await answer('prompts/list')).prompts.some(({ name }: { name: string }) => name === 'growing'),
    );
    const got = await answer('prompts/get', { name: 'growing', arguments: { x: 'a'.repeat(100_000) } });
    expect(got.messages[0].content.text.length).to.be.below(9 * 1024 * 1024);
    expect(got._meta['castellan/problems']).to.have.length(100);
    expect(got._meta['castellan/problems'][0]).to.include('has no room');
    rmSync(join(root, 'prompts/growing.json'));
    await eventually('the prompt is gone', async () =>
      (await answer('prompts/list')).prompts.every(({ name }: { name: string }) => name !== 'growing'),
    );
  });

  it('completes the names of patterns and languages', async () => {
    const ref = { type: 'ref/prompt', name: 'guided-pattern-validation' };
    const patterns = await answer('completion/complete', {
      ref,
      argument: { name: 'pattern_name', value: 'no' },
    });
    expect(patterns.completion.values).to.deep.equal(['no-eval']);
    const languages = await answer('completion/complete', {
      ref,
      argument: { name: 'language', value: 'ty' },
    });
    expect(languages.completion.values).to.deep.equal(['typescript']);
  });

  it('S3-45: an edited prompt is told of and served, and a broken file keeps the last good one', async () => {
    const file = join(root, 'prompts/say.json');
    const before = readFileSync(file, 'utf8');
    await answer('prompts/list');
    let notices = 0;
    const stop = surface.prompts.onChange(() => {
      notices += 1;
    });
    await new Promise((resolve) => setTimeout(resolve, 300));
    writeFileSync(file, before.replace('First', 'Now'));
    await eventually('a notice of the change', () => notices > 0);
    const now = async () =>
      (await answer('prompts/get', { name: 'say', arguments: { args: 'x' } })).messages[0].content.text;
    expect(await now()).to.match(/^Now x/);
    writeFileSync(file, '{ "name": ');
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await now()).to.match(/^Now x/);
    stop();
  });

  it('S0-65: code that serves a call can run the function behind another tool', async () => {
    const outcome = await castellan.execute('relay');
    expect(outcome.success && JSON.stringify(outcome.value.content)).to.include('straight');
  });

  it('runs no tool in a prompt that changes something, and none that the policy refuses', async () => {
    const writer = await answer('prompts/get', { name: 'runs-writer', arguments: { file: 'new.txt' } });
    expect(writer._meta['castellan/problems'][0]).to.match(/change nothing and stay on this machine/);
    expect(existsSync(join(root, 'new.txt'))).to.equal(false);
    writeFileSync(join(root, '.env'), 'SECRET=1\n');
    const hidden = await answer('prompts/get', { name: 'runs-hidden', arguments: { file: '.env' } });
    expect(hidden._meta['castellan/problems'][0]).to.match(/policy/);
    expect(hidden.messages[0].content.text).not.to.include('SECRET=1');
  });
});

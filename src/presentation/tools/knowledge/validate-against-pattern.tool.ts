// How a tool is written: ../README.md
import * as Type from 'typebox';
import { ValidatePatternHandler } from '../../../application/knowledge/validate-pattern.js';
import { workflowNotes } from '../../../application/session/workflow-note.js';
import { Result } from '../../../domain/result.js';
import { defineTool } from '../define-tool.js';
import { oneOf, toolArguments } from '../tool-arguments.js';
import { READS } from './knowledge-notes.js';

const violation = Type.Object({
  rule: Type.String({ description: 'The id of the rule, or what was guessed.' }),
  description: Type.String({ description: 'What is wrong, in the words of the pattern.' }),
  severity: oneOf(['error', 'warning'], { description: 'Guesses are never more than warnings.' }),
  line: Type.Integer({ minimum: 1, description: 'The line of the code, from 1.' }),
  column: Type.Integer({ minimum: 1, description: 'The column of the line, from 1.' }),
  source: oneOf(['rule', 'heuristic'], { description: 'rule: declared. heuristic: guessed from prose.' }),
});

const disabled = Type.Object({
  rule: Type.String({ description: 'The id of the rule.' }),
  reason: Type.String({ description: 'Why it could not be held against the code.' }),
});

const item = Type.Object({
  text: Type.String({
    description: 'A sentence of the pattern, as it stands there.',
    examples: ['Retry calls to a flaky service three times.'],
  }),
  line: Type.Integer({ minimum: 1, description: 'Its line in the pattern, from 1.', examples: [3] }),
});

export const validateAgainstPatternTool = defineTool({
  name: 'validate_against_pattern',
  version: '1.2.0',
  category: 'knowledge',
  tags: ['patterns', 'review'],
  summary: 'Hold code against a documented pattern.',
  description:
    'Checks code with the rules that a pattern declares in its front matter, and tells where each is broken. The verdict is compliant only where every declared rule was checked and kept, and has a bad example that shows it works; a pattern without rules yields undetermined, with its sentences as a checklist to go through and guesses from its prose labelled as heuristic.',
  usage:
    'Give the code and the name of a pattern as search_architecture or get_content shows it; the language is detected.',
  concise: {
    text: 'Check code against a pattern of the project.',
    arguments: {
      code: 'Source text to check',
      pattern_name: 'Name of the pattern',
      language: 'Default: detected',
    },
  },
  examples: [
    {
      title: 'A function against a pattern of this project',
      arguments: {
        code: 'export function half(n: number): number {\n  if (n % 2 !== 0) throw new Error("odd");\n  return n / 2;\n}\n',
        pattern_name: 'failure-as-a-value',
      },
    },
    {
      title: 'With the language said',
      arguments: { code: 'interface FlagStore {}', pattern_name: 'port-and-adapter', language: 'typescript' },
    },
  ],
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  errors: [{ type: 'NotFoundError', when: 'there is no such pattern; the nearest names are told' }],
  security: 'Reads patterns of the project; the code is parsed, never run. Expressions take linear time.',
  profile: { from: 'readonly' },
  specification: {
    answer: {
      compliant: false,
      verdict: 'violations',
      pattern: 'Failure as a value',
      language: 'typescript',
      violations: [
        {
          rule: 'no-throw',
          description: 'Return a Result instead of throwing.',
          severity: 'error',
          line: 2,
          column: 20,
          source: 'rule',
        },
      ],
      suggestions: ['Return Result.failure("odd") instead.'],
      rules_checked: 3,
      rules_unproved: ['no-console'],
      rules_disabled: [{ rule: 'no-any', reason: 'It has no form for python.' }],
    },
    security: {
      ...READS,
      execution:
        'None: the code is parsed and matched, never run; expressions take linear time. A rule comes from a document of the project: whoever may change the document decides what is checked.',
    },
  },
  input: toolArguments({
    code: Type.String({
      description: 'Code to validate.',
      minLength: 1,
      maxLength: 50_000,
      examples: ['class OrderRepository {}'],
    }),
    pattern_name: Type.String({
      description: 'Name of pattern to validate against, such as repository-pattern.',
      minLength: 1,
      maxLength: 200,
      examples: ['failure-as-a-value'],
    }),
    language: Type.Optional(
      Type.String({
        description: 'Programming language; detected where absent.',
        minLength: 1,
        maxLength: 40,
        examples: ['typescript'],
      }),
    ),
  }),
  output: Type.Object({
    compliant: Type.Boolean({ description: 'True only where the verdict is compliant.' }),
    verdict: oneOf(['compliant', 'violations', 'undetermined'], {
      description: 'undetermined: not every declared rule could be checked, or there is none.',
    }),
    pattern: Type.String({ description: 'The title of the pattern.' }),
    language: Type.Optional(Type.String({ description: 'The language given or detected.' })),
    violations: Type.Array(violation, { description: 'Where the code differs from the pattern.' }),
    suggestions: Type.Array(Type.String(), { description: 'What to do about it.' }),
    rules_checked: Type.Integer({ minimum: 0, description: 'How many declared rules were checked.' }),
    rules_unproved: Type.Array(Type.String(), {
      description: 'Ids of checked rules without a bad example: nothing shows that they find anything.',
    }),
    rules_disabled: Type.Array(disabled, { description: 'Rules that could not be checked, and why.' }),
    checklist: Type.Optional(
      Type.Array(item, {
        description: 'Of a pattern without declared rules: what to hold the code against.',
        examples: [[{ text: 'Retry calls to a flaky service three times.', line: 3 }]],
      }),
    ),
  }),
  // The first syntax rule loads the parsers.
  budget: { timeoutMs: 30_000 },
  needs: { patterns: ValidatePatternHandler },
  run: async (query, { patterns }, { workflow, signal }) => {
    const answer = await patterns.handle(query, signal);
    if (!answer.success) return answer;
    const earlier = workflowNotes(workflow, 'validate_against_pattern');
    const told = [answer.instruction, earlier.instruction].filter((text) => text !== undefined);
    const notes = { ...answer.notes, ...earlier, ...(told.length > 0 && { instruction: told.join(' ') }) };
    return Result.ok(answer.value, notes);
  },
});

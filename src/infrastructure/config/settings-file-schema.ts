import type { LogLevel } from '../../application/ports/system/logger.js';
import type { DocumentSwitch } from '../../domain/knowledge/document/category.js';
import { CATEGORY_KINDS, type CategoryKind, impliedKind } from '../../domain/knowledge/document/category.js';
import { CONSENT_WAYS, type ConsentWay } from '../../domain/permission/consent/consent-way.js';
import { TOOLSETS, type Toolset } from '../../domain/tool/toolset.js';
import { setOf } from './distinct-list-shape.js';
import { documentSwitches, flagName, flagSchemas } from './flag-shapes.js';
import { type HttpFields, httpFields, toHttpSettings } from './http-shapes.js';
import { redisAddress } from './redis-address.js';
import { type CategorySettings, DEFAULT_SETTINGS, type Settings } from './settings.js';
import { streamAddress } from './stream-address.js';
import {
  choice,
  described,
  flag,
  type JsonSchema,
  listOf,
  mapOf,
  mapped,
  record,
  type Shape,
  text,
  wholeNumber,
} from './yaml-shape.js';
import { duration, size } from './yaml-units.js';

interface CategoryFields {
  dir?: string;
  patterns?: readonly string[];
  description?: string;
  kind?: CategoryKind;
  enabled_by?: readonly DocumentSwitch[];
}

interface SettingsFields {
  tool_prefix?: string;
  tool_descriptions?: Settings['toolDescriptions'];
  answers?: Settings['answers'];
  answer_tokens?: number;
  error_style?: Settings['errorStyle'];
  project?: { name?: string };
  categories?: Readonly<Record<string, CategoryFields>>;
  collections?: Readonly<Record<string, readonly string[]>>;
  prompts?: { dir?: string };
  log?: { level?: LogLevel | 'silent'; requests?: boolean };
  telemetry?: { traces?: boolean };
  audit?: { keep?: number; max_size?: number; stream?: string };
  consent?: { via?: readonly ConsentWay[]; notify?: readonly string[] };
  http?: HttpFields;
  files?: { read_bytes?: number };
  claude?: { model?: string; max_tokens?: number };
  redis?: { url?: string; service?: string };
  flags?: { schemas?: Readonly<Record<string, object>> };
  tools?: {
    include?: readonly string[];
    exclude?: readonly string[];
    sets?: readonly Toolset[];
    enabled_by?: Readonly<Record<string, string>>;
  };
}

/** What is kept for less than an hour is gone before anybody looks. */
const keepTime: Shape<number> = mapped(duration, (value, at, reading) =>
  value >= 3_600_000 ? value : reading.report(at, 'Expected a time of at least 1h, such as 90d.'),
);

/** A text that may be empty: "" switches a prefix off on purpose. */
const anyText: Shape<string> = {
  schema: { type: 'string' },
  wants: 'a text',
  read: (tree, reading) =>
    tree.kind === 'scalar' && typeof tree.value === 'string'
      ? tree.value
      : reading.report(tree.at, 'Expected a string; put it in quotes if it looks like something else.'),
};

const category = record<CategoryFields>(
  'a category: dir, patterns, description, kind, enabled_by',
  {
    dir: described('A folder of the workspace.', text),
    patterns: described('Which files of it (default: all Markdown files).', listOf(text)),
    description: described('A description, shown in lists of documents.', text),
    kind: described(
      'How its files are read; the names adr, patterns and guidelines imply it.',
      choice(...CATEGORY_KINDS),
    ),
    enabled_by: described('The flag that enables its documents, or flags per pattern.', documentSwitches),
  },
  ['dir'],
);

const fields = record<SettingsFields>('the keys of castellan.yaml', {
  tool_prefix: described('Put before every tool name; MCP_TOOL_PREFIX wins.', anyText),
  tool_descriptions: described(
    'full: four sections; concise: only what a model needs.',
    choice('full', 'concise'),
  ),
  answer_tokens: described(
    'The maximum of estimated tokens of one text result; what is cut says how to get the rest.',
    wholeNumber(1_000, 1_000_000),
  ),
  answers: described(
    'text: short text for models; envelope: the JSON envelope, with output schemas.',
    choice('text', 'envelope'),
  ),
  error_style: described(
    'result: failures that the model can read; rpc: JSON-RPC errors.',
    choice('result', 'rpc'),
  ),
  project: record<{ name?: string }>('a project: name', {
    name: described('The name of the project.', text),
  }),
  categories: mapOf(category, 'a map of categories'),
  collections: described('Names for several categories or parts of them.', mapOf(listOf(text))),
  prompts: record<{ dir?: string }>('prompts: dir', {
    dir: described('A directory of prompts, in addition to those shipped with Castellan.', text),
  }),
  log: record<NonNullable<SettingsFields['log']>>('log: level, requests', {
    level: described(
      'The least important lines that are logged; default: info.',
      choice('trace', 'debug', 'info', 'warn', 'error', 'silent'),
    ),
    requests: described('Whether each call is a line in the log.', flag),
  }),
  telemetry: record<NonNullable<SettingsFields['telemetry']>>('telemetry: traces', {
    traces: described('Whether requests become spans for the OpenTelemetry SDK of this process.', flag),
  }),
  audit: record<NonNullable<SettingsFields['audit']>>('audit: keep, max_size, stream', {
    keep: described(
      'Records older than this are removed, such as 90d; default: by number and size.',
      keepTime,
    ),
    max_size: described(
      'The oldest records are removed beyond this size; 4GiB with keep, else 256MiB.',
      size,
    ),
    stream: described(
      'Also send records here as they are written: syslogs://HOST, or the https address of an OTLP receiver.',
      streamAddress,
    ),
  }),
  consent: record<NonNullable<SettingsFields['consent']>>('consent: via, notify', {
    via: described(
      'Where a person is asked: the first of these that is available.',
      setOf(choice(...CONSENT_WAYS)),
    ),
    notify: described(
      'A program and its arguments, run when a question waits for castellan approve; {summary} is the question.',
      listOf(text),
    ),
  }),
  http: httpFields,
  files: record<{ read_bytes?: number }>('files: read_bytes', {
    read_bytes: described(
      'How much of a file one result of read_file shows.',
      wholeNumber(1_000, 64 * 1024 * 1024),
    ),
  }),
  claude: record<{ model?: string; max_tokens?: number }>('claude: model, max_tokens', {
    model: described('The model of claude_conversation, unless a call names another.', text),
    max_tokens: described('The longest answer of a model, in tokens; default: 4096.', wholeNumber(1, 64_000)),
  }),
  redis: record<{ url?: string; service?: string }>('redis: url, service', {
    url: described('The Redis that several instances share, such as redis://localhost:6379.', redisAddress),
    service: described('Instances with the same name are one service (default: the workspace).', text),
  }),
  flags: record<NonNullable<SettingsFields['flags']>>('flags: schemas', {
    schemas: described('JSON Schemas for the values of flags, by name.', flagSchemas),
  }),
  tools: record<NonNullable<SettingsFields['tools']>>('tools: include, exclude, sets, enabled_by', {
    include: described('Only these, by name or category.', listOf(text)),
    exclude: described('All but these, by name or category.', listOf(text)),
    sets: described(
      'The toolsets to list (default: those that this workspace can use).',
      listOf(choice(...TOOLSETS)),
    ),
    enabled_by: described("The flag that enables a tool, by the tool's name.", mapOf(flagName)),
  }),
});

/** castellan.yaml: one description that reads it and is published as JSON Schema. */
export const settingsFile: Shape<Settings> = mapped(fields, toSettings);

export function settingsJsonSchema(): JsonSchema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'castellan.yaml',
    description: 'Settings of a Castellan server.',
    ...settingsFile.schema,
  };
}

function toSettings(given: SettingsFields): Settings {
  const base = DEFAULT_SETTINGS;
  const { tools = {}, claude = {} } = given;
  return {
    toolPrefix: given.tool_prefix ?? base.toolPrefix,
    toolDescriptions: given.tool_descriptions ?? base.toolDescriptions,
    answers: given.answers ?? base.answers,
    answerTokens: given.answer_tokens ?? base.answerTokens,
    errorStyle: given.error_style ?? base.errorStyle,
    project: given.project ?? base.project,
    categories: Object.fromEntries(
      Object.entries(given.categories ?? {}).map(([name, entry]) => [name, toCategory(name, entry)]),
    ),
    collections: given.collections ?? base.collections,
    prompts: given.prompts ?? base.prompts,
    log: {
      level: given.log?.level ?? base.log.level,
      requests: given.log?.requests ?? base.log.requests,
    },
    telemetry: { traces: given.telemetry?.traces ?? base.telemetry.traces },
    audit: {
      ...(given.audit?.keep !== undefined && { keepMs: given.audit.keep }),
      ...(given.audit?.max_size !== undefined && { maxBytes: given.audit.max_size }),
      ...(given.audit?.stream !== undefined && { stream: given.audit.stream }),
    },
    consent: {
      via: given.consent?.via ?? base.consent.via,
      ...(given.consent?.notify !== undefined && { notify: given.consent.notify }),
    },
    http: toHttpSettings(given.http ?? {}),
    files: { readBytes: given.files?.read_bytes ?? base.files.readBytes },
    claude: {
      ...(claude.model !== undefined && { model: claude.model }),
      maxTokens: claude.max_tokens ?? base.claude.maxTokens,
    },
    redis: given.redis ?? base.redis,
    flags: { schemas: given.flags?.schemas ?? base.flags.schemas },
    tools: {
      ...(tools.include && { include: tools.include }),
      exclude: tools.exclude ?? [],
      ...(tools.sets && { sets: tools.sets }),
      enabledBy: tools.enabled_by ?? {},
    },
  };
}

function toCategory(
  name: string,
  { dir = '', patterns, description, kind, enabled_by }: CategoryFields,
): CategorySettings {
  return {
    dir,
    patterns: patterns ?? ['**/*.md'],
    ...(description !== undefined && { description }),
    kind: kind ?? impliedKind(name),
    ...(enabled_by && { enabledBy: enabled_by }),
  };
}

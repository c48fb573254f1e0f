import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import type { ToolDefinition } from '../../application/tool/tool-definition.js';
import { isJsonObject } from '../../domain/json-value.js';
import { reasonOf } from '../../infrastructure/state/errno.js';
import { readForeignFile } from '../../infrastructure/state/foreign-file.js';
import { docsCommand, type SpecificationFile } from '../../presentation/cli/docs-command.js';
import { processOutput } from '../../presentation/cli/output.js';
import type { DocsOptions } from '../../presentation/cli/program/command-actions.js';
import { withClientTables } from '../../presentation/docs/client-table.js';
import { specifyTools } from '../../presentation/docs/specification/tool-specification.js';
import { MODERN_VERSION } from '../../presentation/mcp/modern-2026/modern-2026.js';
import { SESSION_VERSIONS } from '../../presentation/mcp/session-2025/session-2025-handshake.js';
import { builtinTools } from '../../presentation/tools/builtin-tools.js';
import { getDeclaredTools } from '../../presentation/tools/declared-tools.js';
import { ConfigurationError } from '../configuration/configuration-error.js';

const SPECIFICATION = 'MCP_TOOL_SPECIFICATION.md';
const CLIENTS = join('docs', 'how-to', 'install-clients.md');
const MAX_SPECIFICATION_BYTES = 16 * 1024 * 1024;

/** Every tool there can be, whatever this workspace has switched off: ours, the examples, those of the modules. */
export async function writeDocs({ tools: modules = [], ...options }: DocsOptions): Promise<number> {
  await import('../../presentation/tools/example/example-tools.js');
  const exported = modules.flatMap(definitionsOf);
  const all = [...builtinTools, ...exported, ...Object.values(getDeclaredTools())];
  // A module may both declare a tool and export it.
  const once = [...new Map(all.map((definition) => [definition.name, definition])).values()];
  const specification = specifyTools(once, [MODERN_VERSION, ...SESSION_VERSIONS]);
  const code = await docsCommand(specification, documentFile(SPECIFICATION), options, processOutput);
  const clients = documentFile(CLIENTS);
  const tables = withClientTables((await clients.read()) ?? '');
  // Only our own repository has the page.
  if (code !== 0 || tables === undefined) return code;
  return docsCommand(tables, clients, options, processOutput);
}

/** `require` reads ES modules, too, and the bundle has no other way to reach a file of somebody else. */
function definitionsOf(module: string): readonly ToolDefinition[] {
  const file = resolve(module);
  let exported: unknown;
  try {
    exported = createRequire(file)(file);
  } catch (error) {
    const [message] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw new ConfigurationError(`--tools ${module} cannot be loaded: ${message}`);
  }
  return Object.values(Object(exported)).flatMap((value) =>
    (Array.isArray(value) ? value : [value]).filter(isDefinition),
  );
}

function isDefinition(value: unknown): value is ToolDefinition {
  return (
    isJsonObject(value) &&
    typeof value.name === 'string' &&
    typeof value.security === 'string' &&
    typeof value.run === 'function' &&
    isJsonObject(value.input)
  );
}

function documentFile(name: string): SpecificationFile {
  return {
    name,
    read: () =>
      readForeignFile(name, { maxBytes: MAX_SPECIFICATION_BYTES, links: 'anywhere' }).then((file) =>
        file.kind === 'bytes' ? file.bytes.toString('utf8') : undefined,
      ),
    write: (content) => writeFile(name, content).then(() => undefined, reasonOf),
  };
}

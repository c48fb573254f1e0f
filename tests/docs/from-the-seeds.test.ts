import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import * as Type from 'typebox';
import * as exported from '../../src/index.js';
import { isolatedOptions } from '../support/isolated-options.js';

const PAGE = join(import.meta.dirname, '../../docs/contributing/from-the-seeds.md');
const text = readFileSync(PAGE, 'utf8');

/** Every class and function of the five documents. */
const SEED_WORDS = `Result.ok Result.failure to_json_str instruction ToolArguments to_schema_markdown
build_tool_description ToolArguments.declare get_declared_tools ExtMcpToolDecorator get_tool_prefix
_configure_environment log_tool_usage CreateDocumentArgs create_document get_project_config set_project_flag
get_project_flag list_project_flags set_feature_flag get_feature_flag list_feature_flags feature_flags get_content
Tool Tool.create to_mcp_format enable disable ToolResult.text ToolResult.json ToolResult.error ToolResult.empty
ToolInputSchema to_dict _echo_handler _read_file_handler _write_file_handler _list_directory_handler
_search_files_handler _execute_command_handler _system_info_handler _claude_conversation_handler register unregister
get list list_enabled ExecuteToolCommand ListToolsQuery ToolHandler ToolSandbox SandboxConfig Session initialize
get_tool register_builtin_tools convert_tool_error ToolManager NewToolManager RegisterTool GetTool ListTools
ExecuteTool GetPerformanceMetrics ToolStats ToolExecutor ValidateArguments sanitizeArguments ExecuteWithContext
ValidatePatternTool SearchArchitectureTool CheckADRAlignmentTool MCPTool MCPToolsListResult MCPToolsCallParams
MCPToolsCallResult MCPToolContent MCPToolCapabilities MCPCapabilities TemplateRenderer EmbedTools WorkflowContext
ToolError NewToolError WithToolContext validateResourcePath initializeToolsSystem MCP_TOOL_SPECIFICATION.md`;

const rows = text
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (seed|---)/.test(line))
  .map((line) => line.slice(2, -2).split(' | '));

describe('From the seeds to Castellan', () => {
  let castellan: exported.Castellan;
  const own = isolatedOptions();
  before(async () => {
    castellan = await exported.createCastellan(own);
  });
  after(() => castellan.close());

  it('C33: has a row for every class and function of the seeds', () => {
    const named = new Set(
      rows.flatMap(([seed = '']) => [...seed.matchAll(/`([^`]+)`/g)].map(([, word]) => word)),
    );
    expect(SEED_WORDS.split(/\s+/).filter((word) => !named.has(word))).to.deep.equal([]);
  });

  it('C33: every row has a link to a file that has the name it promises, and an example', () => {
    for (const [seed, here = '', example = ''] of rows) {
      const links = [...here.matchAll(/\[(`?)([^\]]+?)\1\]\(([^)]+)\)/g)];
      expect(links, seed).not.to.have.length(0);
      for (const [, code, word = '', path = ''] of links) {
        const file = join(dirname(PAGE), path);
        expect(existsSync(file), path).to.equal(true);
        if (code === '`' && file.endsWith('.ts'))
          expect(readFileSync(file, 'utf8'), path).to.contain(word.split('.').at(-1));
      }
      expect(example, seed).to.match(/^`.+ \/\/ .+`$/);
    }
  });

  for (const [, , example = ''] of rows) {
    it(`C33: ${example}`, async () => {
      const [code = '', value = ''] = example.slice(1, -1).split(' // ');
      const scope: Readonly<Record<string, unknown>> = { ...exported, castellan, Type };
      const run = new Function(...Object.keys(scope), `return (async () => [await (${code}), (${value})])()`);
      const [got, wanted] = await run(...Object.values(scope));
      expect(got).to.deep.equal(wanted);
    });
  }
});

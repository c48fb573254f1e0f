import { expect } from 'chai';
import { describe, it } from 'mocha';
import { ownArgument, ownTool } from '../../../src/domain/tool/foreign-names.js';
import { builtinTools } from '../../../src/presentation/tools/builtin-tools.js';

const argumentsOf = (tool: string): readonly string[] =>
  Object.keys(builtinTools.find(({ name }) => name === tool)?.input.properties ?? {});

/** What other servers call an argument, at which of our tools, and what we suggest. */
const ROWS: readonly (readonly [string, string, string])[] = [
  ['file_path', 'read_file', 'path'],
  ['filePath', 'write_file', 'path'],
  ['old_string', 'edit_file', 'old_text'],
  ['new_string', 'edit_file', 'new_text'],
  ['oldText', 'edit_file', 'old_text'],
  ['pattern', 'search_content', 'query'],
  ['query', 'search_files', 'pattern'],
  ['dryRun', 'edit_file', 'dry_run'],
  ['head', 'read_file', 'limit'],
  ['tail', 'read_file', 'offset'],
  ['view_range', 'read_file', 'offset'],
  ['excludePatterns', 'search_files', 'exclude'],
  ['glob', 'search_content', 'include'],
  ['path', 'read_files', 'paths'],
  ['from', 'move_path', 'source'],
  ['cmd', 'execute_command', 'command'],
  ['workdir', 'execute_command', 'cwd'],
  ['timeout_ms', 'execute_command', 'timeout'],
  ['file_text', 'write_file', 'content'],
];

describe('names that agents bring from other servers', () => {
  for (const [foreign, tool, own] of ROWS) {
    it(`${foreign} at ${tool} suggests ${own}`, () => {
      expect(ownArgument(foreign, argumentsOf(tool))).to.match(new RegExp(`^Did you mean ${own}\\?`));
    });
  }

  it('says how ours counts where the name alone would mislead', () => {
    expect(ownArgument('tail', ['offset'])).to.contain('-20 gives the last 20 lines');
    expect(ownArgument('view_range', ['offset', 'limit'])).to.contain('offset: 10, limit: 20');
  });

  it('suggests nothing that the tool does not have', () => {
    expect(ownArgument('file_path', ['message'])).to.equal(undefined);
    expect(ownArgument('colour', ['path'])).to.equal(undefined);
  });

  const TOOLS: readonly (readonly [string, string])[] = [
    ['read_text_file', 'read_file'],
    ['read_media_file', 'read_file'],
    ['read_multiple_files', 'read_files'],
    ['get_file_info', 'file_info'],
    ['move_file', 'move_path'],
    ['directory_tree', 'list_directory'],
    ['list_directory_with_sizes', 'list_directory'],
    ['start_process', 'execute_command'],
    ['edit_block', 'edit_file'],
    ['Bash', 'execute_command'],
    ['Grep', 'search_content'],
    ['Glob', 'search_files'],
    ['Read', 'read_file'],
    ['LS', 'list_directory'],
  ];
  for (const [foreign, own] of TOOLS) {
    it(`${foreign} means ${own}`, () => {
      expect(ownTool(foreign)).to.equal(own);
      expect(builtinTools.map(({ name }) => name)).to.include(own);
    });
  }
});

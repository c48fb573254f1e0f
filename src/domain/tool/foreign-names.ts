/** Argument names of other servers and clients, each with ours: the first that the tool has. */
const ARGUMENTS: ReadonlyMap<string, readonly string[]> = new Map([
  ['file_path', ['path', 'source']],
  ['filepath', ['path', 'source']],
  ['file_name', ['path', 'name']],
  ['filename', ['path', 'name']],
  ['file', ['path']],
  ['target_file', ['path']],
  ['directory', ['path', 'cwd']],
  ['dir', ['path', 'cwd']],
  ['dir_path', ['path', 'cwd']],
  ['directory_path', ['path', 'cwd']],
  ['folder', ['path', 'cwd']],
  ['root', ['path', 'cwd']],
  ['files', ['paths']],
  ['file_paths', ['paths']],
  ['path', ['paths', 'source', 'cwd']],
  ['paths', ['path']],
  ['old_string', ['old_text', 'edits']],
  ['old_str', ['old_text', 'edits']],
  ['search', ['old_text', 'query', 'pattern']],
  ['new_string', ['new_text', 'edits']],
  ['new_str', ['new_text', 'edits']],
  ['replace', ['new_text', 'edits']],
  ['replacement', ['new_text', 'edits']],
  ['replacements', ['edits']],
  ['pattern', ['query']],
  ['regex', ['query', 'pattern']],
  ['regexp', ['query', 'pattern']],
  ['search_pattern', ['query', 'pattern']],
  ['text', ['query', 'content', 'message']],
  ['query', ['pattern']],
  ['glob', ['include', 'pattern']],
  ['file_pattern', ['include', 'pattern']],
  ['include_pattern', ['include', 'pattern']],
  ['exclude_patterns', ['exclude']],
  ['exclude_pattern', ['exclude']],
  ['ignore_case', ['case']],
  ['case_sensitive', ['case']],
  ['context_lines', ['context']],
  ['max_results', ['limit']],
  ['max_matches', ['limit']],
  ['head_limit', ['limit']],
  ['depth', ['max_depth']],
  ['preview', ['dry_run']],
  ['contents', ['content']],
  ['file_text', ['content']],
  ['data', ['content']],
  ['create_directories', ['create_dirs']],
  ['create_parents', ['create_dirs', 'parents']],
  ['mkdirs', ['create_dirs']],
  ['from', ['source']],
  ['src', ['source']],
  ['old_path', ['source']],
  ['to', ['destination']],
  ['dst', ['destination']],
  ['dest', ['destination']],
  ['new_path', ['destination']],
  ['cmd', ['command']],
  ['script', ['command']],
  ['command_line', ['command']],
  ['working_directory', ['cwd']],
  ['working_dir', ['cwd']],
  ['workdir', ['cwd']],
  ['input', ['stdin']],
  ['timeout_ms', ['timeout']],
  ['head', ['limit']],
  ['tail', ['offset']],
  ['view_range', ['offset']],
  ['start_line', ['offset']],
  ['end_line', ['limit']],
  ['length', ['limit']],
]);

/** Remarks for names that would mislead, because ours counts differently. */
const REMARKS: ReadonlyMap<string, string> = new Map([
  ['tail', 'offset: -20 gives the last 20 lines.'],
  ['head', 'limit: 20 gives the first 20 lines.'],
  ['view_range', 'Lines 11 to 30 are offset: 10, limit: 20.'],
  ['start_line', 'offset counts the lines to skip: 10 begins at line 11.'],
  ['end_line', 'limit is the number of lines, not the last of them.'],
  ['timeout_ms', 'timeout is in seconds.'],
  ['ignore_case', 'case: "insensitive".'],
]);

/** Suggests our argument for one that other servers have; undefined if the tool has none like it. */
export function ownArgument(foreign: string, known: readonly string[]): string | undefined {
  const name = snakeCase(foreign);
  const own = known.includes(name)
    ? name
    : ARGUMENTS.get(name)?.find((candidate) => known.includes(candidate));
  if (own === undefined) return undefined;
  const remark = REMARKS.get(name);
  return remark === undefined ? `Did you mean ${own}?` : `Did you mean ${own}? ${remark}`;
}

function snakeCase(name: string): string {
  return name
    .slice(0, 100)
    .replaceAll(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter}`)
    .replaceAll('-', '_')
    .toLowerCase();
}

/** Tool names of other servers and clients, without case and separators. */
const TOOLS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    read_file: [
      'read',
      'readtextfile',
      'readmediafile',
      'viewfile',
      'view',
      'openfile',
      'cat',
      'getfilecontents',
    ],
    read_files: ['readmultiplefiles', 'readmanyfiles'],
    write_file: ['write', 'createfile', 'savefile', 'writetofile', 'putfile'],
    edit_file: [
      'edit',
      'multiedit',
      'editblock',
      'strreplace',
      'strreplaceeditor',
      'strreplacebasededittool',
      'replaceinfile',
      'applydiff',
      'applypatch',
      'searchreplace',
    ],
    list_directory: [
      'ls',
      'listdir',
      'listfiles',
      'directorytree',
      'listdirectorywithsizes',
      'tree',
      'listfolder',
    ],
    search_files: ['glob', 'find', 'findfiles', 'filesearch', 'globsearch'],
    search_content: [
      'grep',
      'ripgrep',
      'searchcode',
      'searchfilecontent',
      'grepsearch',
      'startsearch',
      'codesearch',
    ],
    file_info: ['getfileinfo', 'stat', 'getmetadata'],
    create_directory: ['mkdir', 'createfolder', 'makedirectory'],
    move_path: ['movefile', 'rename', 'renamefile', 'mv', 'move'],
    copy_path: ['copyfile', 'cp', 'copy'],
    delete_path: ['deletefile', 'removefile', 'rm', 'delete', 'deletedirectory'],
    execute_command: [
      'bash',
      'shell',
      'startprocess',
      'runcommand',
      'runterminalcmd',
      'runinterminal',
      'runshellcommand',
      'terminal',
      'exec',
      'executeshellcommand',
    ],
    explain_permission: ['listalloweddirectories', 'checkpermission'],
    system_info: ['getconfig', 'getsysteminfo', 'getenvironment'],
    get_tool_stats: ['getusagestats', 'getstats'],
  }).flatMap(([own, others]) => others.map((other) => [other, own] as const)),
);

/** Our name for a tool of another server. */
export function ownTool(foreign: string): string | undefined {
  return TOOLS.get(
    foreign
      .slice(0, 100)
      .toLowerCase()
      .replaceAll(/[^a-z0-9]/g, ''),
  );
}

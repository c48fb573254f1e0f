import { normaliseToolName } from '../../tool/tool-name.js';

/** What a tool must be allowed beside its own entry before any call of it can pass. */
export type ToolPower = 'read' | 'write' | 'command';

const POWERS: Readonly<Record<string, readonly ToolPower[]>> = {
  read_file: ['read'],
  read_files: ['read'],
  list_directory: ['read'],
  search_files: ['read'],
  search_content: ['read'],
  file_info: ['read'],
  write_file: ['write'],
  edit_file: ['write'],
  create_directory: ['write'],
  move_path: ['write'],
  copy_path: ['write'],
  delete_path: ['write'],
  execute_command: ['command'],
};

const OTHERS = [
  'echo',
  'system_info',
  'claude_conversation',
  'get_content',
  'create_document',
  'update_document',
  'delete_document',
  'search_architecture',
  'validate_against_pattern',
  'check_adr_alignment',
  'get_project_config',
  'set_project_flag',
  'get_project_flag',
  'list_project_flags',
  'set_feature_flag',
  'get_feature_flag',
  'list_feature_flags',
  'explain_permission',
  'get_tool_stats',
] as const;

/** Every tool that comes with the server; a test compares with the definitions. */
export const BUILTIN_TOOLS: readonly string[] = [...Object.keys(POWERS), ...OTHERS];

const BY_NORMAL_NAME = new Map(
  Object.entries(POWERS).map(([tool, powers]) => [normaliseToolName(tool), powers]),
);

/** Empty for tools that need nothing but their entry, and for tools nobody told us about. */
export function powersOf(tool: string): readonly ToolPower[] {
  return BY_NORMAL_NAME.get(normaliseToolName(tool)) ?? [];
}

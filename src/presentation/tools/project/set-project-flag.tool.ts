// How a tool is written: ../README.md
import { setFlagTool } from './flag-tools.js';

export const setProjectFlagTool = setFlagTool('project', {
  name: 'set_project_flag',
  summary: 'Set or remove a flag of this project.',
  description:
    'Writes one flag of this project. It overrides the global flag of the same name here and nowhere else; removing it lets the global one show again.',
  concise: 'Set or remove a flag of this project.',
  changes: 'the flags of this project',
});

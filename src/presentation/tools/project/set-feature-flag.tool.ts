// How a tool is written: ../README.md
import { setFlagTool } from './flag-tools.js';

export const setFeatureFlagTool = setFlagTool('global', {
  name: 'set_feature_flag',
  summary: 'Set or remove a flag of all projects.',
  description:
    'Writes one global flag: the default in every project that does not set the flag itself. The flags of projects are not touched.',
  concise: 'Set or remove a global flag, the default for every project.',
  changes: 'the global flags',
});

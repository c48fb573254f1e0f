import type { GitAttack } from './attack.js';
import { NAME_ATTACKS } from './names.js';
import { OBEYED_ATTACKS } from './obeyed.js';
import { PLACE_ATTACKS } from './places.js';
import { STORED_DATA_ATTACKS } from './stored-data.js';

export const GIT_ATTACKS: readonly GitAttack[] = [
  ...STORED_DATA_ATTACKS,
  ...NAME_ATTACKS,
  ...OBEYED_ATTACKS,
  ...PLACE_ATTACKS,
];

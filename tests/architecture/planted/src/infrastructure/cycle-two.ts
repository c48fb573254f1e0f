import { planted } from './cycle-one.js';

export const other = () => planted;

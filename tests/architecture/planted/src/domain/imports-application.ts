import { planted as outer } from '../application/imports-node.js';

export const planted = outer;

import { planted as other } from '../composition/wiring.js';

export const planted = other;

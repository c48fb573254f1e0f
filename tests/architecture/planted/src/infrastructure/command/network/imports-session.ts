import { planted as other } from '../session/part.js';

export const planted = other;

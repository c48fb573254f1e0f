import { planted as other } from '../git/part.js';

export const planted = other;

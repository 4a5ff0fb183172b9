import type { Relatives } from '../../core/protocol/types.ts';

/** A transcript that stands alone: what engines say that keep no library. */
export const NO_RELATIVES: Relatives = {
  parent: null,
  children: [],
  branches: [],
  continues: null,
  continuedBy: [],
  forkedFrom: null,
  forks: [],
};

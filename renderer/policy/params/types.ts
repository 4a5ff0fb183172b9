import type { ReactNode } from 'react';
import type { ParamSchema } from '../../../core/view/types.ts';
import type { OptionValue } from '../../state/editSpec.ts';

/** What every control gets. `id` is of its main field, `helpId` of its explanation. */
export interface ParamProps {
  readonly param: ParamSchema;
  readonly value: OptionValue;
  readonly id: string;
  readonly helpId: string;
  readonly onChange: (value: OptionValue, history: 'push' | 'replace') => void;
  /** Called when the control opens its own list. */
  readonly onList?: (isOpen: boolean) => void;
}

/** A line of options: name, reset, control, and what it means. */
export interface ParamLineProps extends ParamProps {
  /** Position of the stage. */
  readonly stageAt: number;
  readonly changed: boolean;
  readonly onReset: () => void;
}

/** A line holds rules, and rules hold lines: the control is handed what draws them. */
export type ParamLineType = (props: ParamLineProps) => ReactNode;

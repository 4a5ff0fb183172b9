export type {
  AnchorState,
  FrontPlace,
  PlacePresence,
  RawTextPlace,
  TextChange,
  TextLoss,
  TextState,
  TextSwitches,
  TextTrace,
  ViewPlace,
} from '../insight/text/types.ts';
export { isSaid, TEXT_STATES } from '../insight/text/types.ts';

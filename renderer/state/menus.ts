/** Menus of things on screen. A menu is commands by their ids, in groups with a line between them. */
export type MenuId = 'message' | 'transcript' | 'callPoint';

export const MENUS: Readonly<Record<MenuId, readonly (readonly string[])[]>> = {
  message: [
    ['message.copy', 'link.message'],
    ['find.here', 'watch.here', 'fork.here', 'call.here'],
    ['filter.fate', 'filter.kind', 'filter.tool', 'filter.stage', 'filter.rule', 'filter.used'],
    ['mark.bookmark', 'mark.note'],
  ],
  transcript: [
    ['library.copyTitle', 'library.copyFile', 'link.transcript'],
    ['library.rename', 'library.tag'],
    ['library.remove'],
  ],
  callPoint: [
    ['link.callPoint', 'link.policy'],
    ['call.show', 'call.previous', 'call.next', 'call.last'],
    ['drawer.request', 'export', 'window.new'],
  ],
};

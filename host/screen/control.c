#include "screen/control.h"

#include "screen/form.h"

static void changed(struct screen_control *control)
{
    control->drawing->changed(control->screen);
}

static void command(struct screen_control *control, enum screen_command command)
{
    control->callbacks.command(control->ctx, command);
}

static void open_dialog(struct screen_control *control, enum dialog_kind kind)
{
    dialog_open(&control->dialog, kind);
    changed(control);
}

static void on_dialog_key(struct screen_control *control, enum input_what what, uint32_t point)
{
    enum dialog_kind kind = control->dialog.kind;
    enum dialog_result result = dialog_feed(&control->dialog, what, point);
    changed(control);
    switch (result) {
    case DIALOG_STAYS:
    case DIALOG_RETURNS:
        break;
    case DIALOG_STEWARD:
        command(control, SCREEN_STEWARD);
        break;
    case DIALOG_CONFIRMED:
        command(control, kind == DIALOG_EPOCH ? SCREEN_EPOCH : SCREEN_LEAVE);
        break;
    }
}

static void scroll(struct screen_control *control, enum view_move move)
{
    if (control->drawing->scroll)
        control->drawing->scroll(control->screen, move);
}

static void focus(struct screen_control *control, enum side side)
{
    if (side < control->model->sides)
        control->view.focus = side;
    changed(control);
}

/* Passes a typed character on. First scrolls the side to its newest rows. */
static void type(struct screen_control *control, uint32_t point)
{
    if (!control->model->side[control->view.focus].active)
        control->view.focus = view_side(&control->view, control->model);
    if (view_is_back(&control->view))
        scroll(control, VIEW_LAST);
    if (control->note)
        changed(control);
    control->note = NULL;
    control->callbacks.key(control->ctx, point);
}

/* The dialog that confirms leaving. It warns a judge whose ballot, or its change, was not given. */
static enum dialog_kind leave_kind(const struct screen_model *model)
{
    const struct form *form = model->form;
    if (!form || !form->rules.kind)
        return DIALOG_LEAVE;
    if (form->standing == FORM_NOT_GIVEN || form->standing == FORM_OVERDUE)
        return DIALOG_LEAVE_BALLOT;
    return form->standing == FORM_GIVEN && form->changed ? DIALOG_LEAVE_CHANGED : DIALOG_LEAVE;
}

/* The help for this screen, without keys that have no effect. */
static enum dialog_kind help(const struct screen_model *model)
{
    bool ballot = model->form && model->form->rules.kind;
    if (model->role == PARTY_ENTITY)
        return DIALOG_HELP_ENTITY;
    if (model->sides == 1)
        return ballot ? DIALOG_HELP_ONE : DIALOG_HELP_ONE_TALK;
    return ballot ? DIALOG_HELP : DIALOG_HELP_TALK;
}

static void on_screen_key(struct screen_control *control, enum input_what what, uint32_t point)
{
    switch (what) {
    case INPUT_POINT:
        type(control, point);
        return;
    case INPUT_F1:
        open_dialog(control, help(control->model));
        return;
    case INPUT_F2:
        command(control, SCREEN_OTHER_SIDE);
        return;
    case INPUT_F8:
        if (control->model->may_take) {
            command(control, SCREEN_TAKE);
            return;
        }
        if (!control->model->may_epoch)
            break;
        open_dialog(control, DIALOG_EPOCH);
        return;
    case INPUT_F9:
        command(control, SCREEN_BEGIN);
        return;
    case INPUT_F10:
        if (control_is_kiosk(control))
            break;
        open_dialog(control, leave_kind(control->model));
        return;
    case INPUT_F12:
        command(control, SCREEN_STEWARD);
        return;
    case INPUT_PAGE_UP:
        scroll(control, VIEW_BACK);
        return;
    case INPUT_PAGE_DOWN:
        scroll(control, VIEW_ON);
        return;
    case INPUT_HOME:
        scroll(control, VIEW_FIRST);
        return;
    case INPUT_END:
        scroll(control, VIEW_LAST);
        return;
    case INPUT_LEFT:
        focus(control, SIDE_LEFT);
        return;
    case INPUT_RIGHT:
        focus(control, SIDE_RIGHT);
        return;
    case INPUT_REDRAW:
        control->drawing->anew(control->screen);
        return;
    case INPUT_SILENT:
        return;
    case INPUT_F3:
    case INPUT_UP:
    case INPUT_DOWN:
    case INPUT_IGNORED:
    case INPUT_BROKEN:
        break;
    }
    control->callbacks.ignored(control->ctx);
}

void control_key(struct screen_control *control, enum input_what what, uint32_t point)
{
    if (!control->model)
        return;
    if (control->dialog.kind != DIALOG_NONE)
        on_dialog_key(control, what, point);
    else if (!control->options.first || !control->options.first(control->ctx, what, point))
        on_screen_key(control, what, point);
}

/* Entries' answers to the same question, side by side: 2003 r38. */
#include "contest/answers.h"
#include "contest/report_private.h"

/* The likeness to the most similar answer of another Entry. */
static unsigned likeness(const struct report_answer *answer, size_t count, size_t one)
{
    unsigned most = 0;
    for (size_t i = answers_other(answer, count, one, 0); i < count;
         i = answers_other(answer, count, one, i + 1)) {
        unsigned like = answers_likeness(answer[one].text, answer[i].text);
        most = like > most ? like : most;
    }
    return most;
}

static void put_row(const struct html_out *out, const struct report_answer *answer, size_t count,
                    size_t one)
{
    html_put(out, "<tr><th>%s</th><td>%s</td><td class=\"n\">%u %%</td></tr>\n", answer[one].entry,
             answer[one].text, likeness(answer, count, one));
}

void report_answers(const struct html_out *out, const struct ruleset *rules,
                    const struct report_answer *answer, size_t count)
{
    bool begun = false;
    for (size_t first = answers_shared(answer, count, 0); first < count;
         first = answers_shared(answer, count, first + 1)) {
        if (!begun)
            html_put(out,
                     "<h2>Answers to the same question</h2>\n<p class=\"small\">With how much they "
                     "are like the answer of another Entry, by the words that both use. Whether "
                     "answers differ in essence is for a panel (%s).</p>\n",
                     ruleset_rule(rules, "register", "differ", 0).text);
        begun = true;
        html_put(out, "<h3>%s</h3>\n<table>\n", answer[first].question);
        put_row(out, answer, count, first);
        for (size_t other = answers_other(answer, count, first, first + 1); other < count;
             other = answers_other(answer, count, first, other + 1))
            put_row(out, answer, count, other);
        html_put(out, "</table>\n");
    }
}

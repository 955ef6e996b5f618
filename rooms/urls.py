"""Addresses of rooms; those with a fixed word come first, for a code is six letters."""

from django.urls import path, register_converter

from rooms.debrief import feedback, survey
from rooms.debrief import views as debrief
from rooms.debrief.puzzles import puzzle_set
from rooms.export import views as export
from rooms.lti import registering
from rooms.lti import roster as course_roster
from rooms.lti import views as lti
from rooms.power.views import power
from rooms.study import desk as study_desk
from rooms.study import views as study
from rooms.study.preview import preview
from rooms.web import desk, roster, views
from rooms.web.homework import homework


class Code:
    """Six letters, small ones too: people type them."""

    regex = "[A-Za-z]{6}"

    def to_python(self, value: str) -> str:
        """Read a code."""
        return value.upper()

    def to_url(self, value: str) -> str:
        """Write a code."""
        return value


register_converter(Code, "room_code")

urlpatterns = [
    path("lti/", lti.about, name="lti"),
    path("lti/login/", lti.login, name="lti-login"),
    path("lti/launch/", lti.launch, name="lti-launch"),
    path("lti/keys.json", lti.keys, name="lti-keys"),
    path("lti/come/<slug:key>/", lti.come, name="lti-come"),
    path("lti/choose/", lti.choose_any, name="lti-choose-any"),
    path("lti/choose/<slug:key>/", lti.choose, name="lti-choose"),
    path("lti/register/<str:token>/", registering.register, name="lti-register"),
    path("<slug:code>/course/", course_roster.course, name="room-course"),
    path("power/", power, name="power"),
    path("<slug:code>/enter/", study.enter, name="study-enter"),
    path("<slug:code>/consent/", study.consent, name="study-consent"),
    path("<slug:code>/questions/", study.questions, name="study-questions"),
    path("<slug:code>/before/", study.before, name="study-before"),
    path("<slug:code>/between/", study.between, name="study-between"),
    path("<slug:code>/belief/", study.belief, name="study-belief"),
    path("<slug:code>/after/", study.after, name="study-after"),
    path("<slug:code>/done/", study.done, name="study-done"),
    path("<slug:code>/withdraw/", study.withdraw, name="study-withdraw"),
    path("<slug:code>/study/", study_desk.overview, name="study-design"),
    path("<slug:code>/study/file.toml", study_desk.download, {"kind": "toml"}, name="study-toml"),
    path("<slug:code>/study/file.json", study_desk.download, {"kind": "json"}, name="study-json"),
    path(
        "<slug:code>/study/preregistration.md", study_desk.preregister, name="study-preregistration"
    ),
    path("<slug:code>/study/pay/", study_desk.pay, name="study-pay"),
    path("<slug:code>/study/pay.csv", study_desk.pay, name="study-pay-csv"),
    path("<slug:code>/study/preview/<slug:arm>/<slug:step>/", preview, name="study-preview"),
    path("<slug:code>/study/<slug:key>/", study_desk.part, name="study-part"),
    path("<slug:code>/export/", export.export, name="room-export"),
    path("<slug:code>/data/", export.data, name="room-data"),
    path("<slug:code>/data/delete/", export.forget, name="room-forget"),
    path("<slug:code>/data/forget/<slug:member_id>/", export.forget_one, name="room-forget-one"),
    path("<slug:code>/progress/", debrief.progress, name="room-progress"),
    path("<slug:code>/debrief/", debrief.debrief, name="room-debrief"),
    path("<slug:code>/packages.csv", debrief.packages_file, name="room-packages"),
    path("<slug:code>/gradebook.csv", debrief.gradebook_file, name="room-gradebook"),
    path("<slug:code>/gradebook/", feedback.feedback, name="room-feedback"),
    path("<slug:code>/survey/", survey.survey, name="room-survey"),
    path("<slug:code>/sheet/", survey.survey, {"form": survey.PREPARES}, name="room-sheet"),
    path("", views.rooms, name="rooms"),
    path("new/", desk.new, name="room-new"),
    path("seat/<slug:key>/", views.seat, name="room-seat"),
    path("<room_code:code>/", views.room, name="room"),
    path("<room_code:code>/lobby/", views.lobby, name="room-lobby"),
    path("<room_code:code>/leave/", views.leave, name="room-leave"),
    path("<room_code:code>/away/", views.away, name="room-away"),
    path("<room_code:code>/notice/", views.notice, name="room-notice"),
    path("<room_code:code>/copy/", desk.copied, name="room-copy"),
    path("<room_code:code>/roster/", roster.roster, name="room-roster"),
    path("<room_code:code>/links.csv", roster.roster_file, name="room-links"),
    path("<room_code:code>/homework/", homework, name="room-homework"),
    path("<room_code:code>/puzzles/", puzzle_set, name="room-puzzles"),
    path("<room_code:code>/wall/", desk.wall, name="room-wall"),
    path("<room_code:code>/desk/", desk.desk, name="room-desk"),
    path("<room_code:code>/desk/now/", desk.now, name="room-desk-now"),
    path("<room_code:code>/desk/<slug:verb>/", desk.do, name="room-do"),
    path("<room_code:code>/desk/<slug:verb>/<slug:member_id>/", desk.do, name="room-do-to"),
]

"""All sellers by name. A new one is a file beside this and one name here."""

from agents.sellers.persona import Persona
from agents.sellers.personas import deceptive, default, firm, flexible

PERSONAS: dict[str, Persona] = {
    module.PERSONA.name: module.PERSONA for module in (default, firm, flexible, deceptive)
}

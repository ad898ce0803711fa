"""Tenants, the people and programs in them, and the base of every table that belongs to a tenant."""

from collections.abc import Iterable
from typing import Any, ClassVar, TypeVar

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.contrib.postgres.fields import ArrayField
from django.db import models

from memoryhub import clock, ids
from memoryhub.tenants import scope
from memoryhub.tenants.permissions import PERMISSIONS, Permission, Role


class Tenant(models.Model):
    """A customer: the wall that no row, vector or audit entry crosses."""

    id = models.UUIDField(primary_key=True, default=ids.new, editable=False)
    name = models.CharField(max_length=120)
    slug = models.SlugField(max_length=60, unique=True)
    created_at = models.DateTimeField(default=clock.now, editable=False)

    class Meta:
        db_table = "tenant"

    def __str__(self) -> str:
        return self.slug


_M = TypeVar("_M", bound="TenantModel", covariant=True)


class TenantQuerySet(models.QuerySet[_M]):
    """A query set that stamps the scope's tenant on every row it creates."""

    def bulk_create(self, objs: Iterable[Any], *args: Any, **kwargs: Any) -> list[Any]:
        rows = list(objs)
        for row in rows:
            row.stamp()
        return super().bulk_create(rows, *args, **kwargs)


class TenantManager(models.Manager.from_queryset(TenantQuerySet)):  # type: ignore[misc]
    """Refuses outside a scope and sees one tenant inside it; row-level security says the same underneath."""

    use_in_migrations = False

    def get_queryset(self) -> Any:
        return super().get_queryset().filter(tenant_id=scope.current().tenant_id)


class TenantModel(models.Model):
    """Base of every table with a tenant. Its migration must also run ``rls.TenantTable``; a guard test checks."""

    id = models.UUIDField(primary_key=True, default=ids.new, editable=False)
    tenant = models.ForeignKey(Tenant, on_delete=models.PROTECT, editable=False, related_name="+")

    objects: ClassVar[Any] = TenantManager()

    #: Prefix of the public id, such as ``fact`` in ``fact_0190…``; empty where rows are never addressed.
    public_prefix: ClassVar[str] = ""

    class Meta:
        abstract = True
        base_manager_name = "objects"
        default_manager_name = "objects"

    @property
    def public_id(self) -> str:
        """The id as callers see it."""
        return ids.public(self.public_prefix, self.id)

    def stamp(self) -> None:
        """Give the row the scope's tenant. Raises ``NoScope`` when it already has another."""
        current = scope.current().tenant_id
        if self.tenant_id is None:
            self.tenant_id = current  # type: ignore[unreachable]
        if self.tenant_id != current:
            raise scope.NoScope("Refusing to write a row of another tenant.")

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.stamp()
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        # Row-level security would delete nothing, and the caller would take that for success.
        self.stamp()
        return super().delete(*args, **kwargs)


class ScopedForeignKey(models.ForeignKey[Any, Any]):
    """A link between two tenant tables.

    The constraint is composite, ``(tenant_id, x_id) -> (tenant_id, id)``, and made by ``rls.TenantTable``:
    PostgreSQL checks plain foreign keys without row-level security, so one could point into another tenant.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs["db_constraint"] = False
        super().__init__(*args, **kwargs)


class UserManager(BaseUserManager["User"]):
    """Creates users by e-mail address."""

    def create_user(self, email: str, password: str | None = None, **extra: Any) -> "User":
        """A user who can sign in; without a password, only by another way (SSO, passkey)."""
        user = self.model(email=self.normalize_email(email).lower(), **extra)
        user.set_password(password)
        user.save(using=self._db)
        return user


class User(AbstractBaseUser, PermissionsMixin):
    """A person who signs in. What they may do is their ``Membership``'s role, tenant by tenant."""

    id = models.UUIDField(primary_key=True, default=ids.new, editable=False)
    email = models.EmailField(unique=True)
    name = models.CharField(max_length=120, blank=True)
    is_active = models.BooleanField(default=True)
    is_staff = models.BooleanField(default=False)
    created_at = models.DateTimeField(default=clock.now, editable=False)

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    objects = UserManager()

    class Meta:
        db_table = "account_user"

    def __str__(self) -> str:
        return self.name or self.email


class Membership(TenantModel):
    """A person's place in a tenant."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    role = models.CharField(max_length=20, choices=[(r.value, r.label) for r in Role])
    created_at = models.DateTimeField(default=clock.now, editable=False)

    public_prefix = "mbr"

    class Meta(TenantModel.Meta):
        db_table = "membership"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "user"], name="membership_once"),
            models.CheckConstraint(
                condition=models.Q(role__in=[r.value for r in Role]), name="membership_role_known"
            ),
        ]

    @property
    def permissions(self) -> frozenset[Permission]:
        """What the role may do."""
        return PERMISSIONS[Role(self.role)]


class Agent(TenantModel):
    """A program that talks to people for the tenant; threads may name the one that held them."""

    name = models.CharField(max_length=80)
    instructions = models.TextField(blank=True)
    created_at = models.DateTimeField(default=clock.now, editable=False)

    public_prefix = "agent"

    class Meta(TenantModel.Meta):
        db_table = "agent"
        constraints = [models.UniqueConstraint(fields=["tenant", "name"], name="agent_name_once")]

    def __str__(self) -> str:
        return self.name


class ApiKey(TenantModel):
    """A program's key: only its hash is kept, the secret is shown once."""

    name = models.CharField(max_length=80)
    prefix = models.CharField(max_length=8)
    secret_hash = models.BinaryField(max_length=32)
    scopes = ArrayField(models.CharField(max_length=40))
    created_by = models.CharField(max_length=64)
    created_at = models.DateTimeField(default=clock.now, editable=False)
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)

    public_prefix = "key"

    class Meta(TenantModel.Meta):
        db_table = "api_key"
        constraints = [models.UniqueConstraint(fields=["tenant", "prefix"], name="api_key_prefix_once")]

    @property
    def status(self) -> str:
        """``active``, ``expired`` or ``revoked``."""
        if self.revoked_at is not None:
            return "revoked"
        if self.expires_at is not None and self.expires_at <= clock.now():
            return "expired"
        return "active"
